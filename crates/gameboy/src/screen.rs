//! The picture of one console in the configured format (section 21).

use crate::ppu::drawing::{Line, WIDTH};

/// Lines of the picture.
pub const HEIGHT: usize = 144;
const HALF_WIDTH: usize = WIDTH / 2;
const PACKED_WIDTH: usize = HALF_WIDTH / 4;

/// How shades are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// No picture is drawn.
    None,
    /// 144 x 160 shades, one per byte.
    ShadeFull,
    /// Every second line and column, one shade per byte.
    ShadeHalf,
    /// The half picture, four shades per byte, the leftmost in the low bits.
    Packed2,
}

impl PictureFormat {
    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "shade_full" => Some(Self::ShadeFull),
            "shade_half" => Some(Self::ShadeHalf),
            "packed2" => Some(Self::Packed2),
            _ => None,
        }
    }

    /// Rows and bytes of each row.
    #[must_use]
    pub const fn shape(self) -> (usize, usize) {
        match self {
            Self::None => (0, 0),
            Self::ShadeFull => (HEIGHT, WIDTH),
            Self::ShadeHalf => (HEIGHT / 2, HALF_WIDTH),
            Self::Packed2 => (HEIGHT / 2, PACKED_WIDTH),
        }
    }

    /// Bytes of a picture.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.shape().0 * self.shape().1
    }
}

/// The last picture that was drawn.
#[derive(Clone, Debug)]
pub struct Screen {
    format: PictureFormat,
    bytes: Vec<u8>,
}

impl Screen {
    /// An empty picture.
    #[must_use]
    pub fn new(format: PictureFormat) -> Self {
        Self { format, bytes: vec![0; format.bytes()] }
    }

    /// How the picture is stored.
    #[must_use]
    pub const fn format(&self) -> PictureFormat {
        self.format
    }

    /// The picture, row by row.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.bytes.copy_from_slice(&source.bytes);
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.fill(0);
    }

    pub(crate) fn needs_line(&self, line: i32) -> bool {
        match self.format {
            PictureFormat::None => false,
            PictureFormat::ShadeFull => true,
            PictureFormat::ShadeHalf | PictureFormat::Packed2 => line % 2 == 0,
        }
    }

    pub(crate) fn put_line(&mut self, line: i32, shades: &Line) {
        let (_, width) = self.format.shape();
        let row = if self.format == PictureFormat::ShadeFull { line as usize } else { line as usize / 2 };
        let target = &mut self.bytes[row * width..(row + 1) * width];
        match self.format {
            PictureFormat::None => {}
            PictureFormat::ShadeFull => target.copy_from_slice(shades),
            PictureFormat::ShadeHalf => {
                for (pixel, shade) in target.iter_mut().zip(shades.iter().step_by(2)) {
                    *pixel = *shade;
                }
            }
            PictureFormat::Packed2 => {
                for (packed, eight) in target.iter_mut().zip(shades.chunks_exact(8)) {
                    *packed = eight[0] | eight[2] << 2 | eight[4] << 4 | eight[6] << 6;
                }
            }
        }
    }
}
