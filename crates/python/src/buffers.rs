//! Borrows the arrays of a Python `Buffers` object as rows the kernel writes into.

use kernel::rows::Rows;
use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{Element, PyArray, PyArrayMethods, PyReadwriteArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The arrays of a `diorama.contracts.buffers.Buffers` that has been looked at before.
///
/// The object is frozen, so its arrays are looked up once for as long as the same one is handed over.
pub struct KnownBuffers {
    object: Py<PyAny>,
    arrays: Arrays,
}

impl KnownBuffers {
    /// Looks the arrays up.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { object: object.clone().unbind(), arrays: object.extract()? })
    }

    /// Whether they are those of this object.
    pub fn is_of(&self, object: &Bound<'_, PyAny>) -> bool {
        self.object.is(object)
    }

    /// Borrows the arrays for one call.
    pub fn borrow<'py>(&self, py: Python<'py>) -> PyResult<BorrowedBuffers<'py>> {
        self.arrays.borrow(py)
    }
}

/// Gives the arrays of `Buffers` their types, once as they are kept and once as they are borrowed for a call.
macro_rules! arrays {
    ($($name:ident: $number:ty, $dimension:ty;)*) => {
        #[derive(FromPyObject)]
        struct Arrays {
            $($name: Py<PyArray<$number, $dimension>>,)*
        }

        impl Arrays {
            fn borrow<'py>(&self, py: Python<'py>) -> PyResult<BorrowedBuffers<'py>> {
                Ok(BorrowedBuffers { $($name: Writable::borrow(self.$name.bind(py))?,)* })
            }
        }

        /// The arrays of `diorama.contracts.buffers.Buffers`, borrowed for one call.
        pub struct BorrowedBuffers<'py> {
            $($name: Writable<'py, $number, $dimension>,)*
        }

        impl BorrowedBuffers<'_> {
            /// The same arrays as slices.
            pub fn rows(&mut self) -> PyResult<Rows<'_>> {
                Ok(Rows { $($name: self.$name.rows(stringify!($name))?,)* })
            }
        }
    };
}

arrays! {
    obs: f32, Ix2;
    obs_u8: u8, Ix2;
    masks: u8, Ix2;
    rewards: f32, Ix1;
    terminated: u8, Ix1;
    truncated: u8, Ix1;
    alive: u8, Ix1;
    episode_start: u8, Ix1;
    metrics: f32, Ix2;
    dt: u16, Ix1;
    events: u64, Ix1;
    final_obs: f32, Ix2;
    final_obs_u8: u8, Ix2;
}

impl<'py> FromPyObject<'_, 'py> for BorrowedBuffers<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract::<Arrays>()?.borrow(object.py())
    }
}

/// An array borrowed for writing; one without elements is not borrowed at all.
///
/// The parts of a split batch write into neighbouring views of the same arrays at the same time. Views without elements
/// all lie at the same address, and the borrow checker of `numpy` would take the second for the first.
struct Writable<'py, T: Element, D: Dimension>(Option<PyReadwriteArray<'py, T, D>>);

impl<'py, T: Element, D: Dimension> Writable<'py, T, D> {
    fn borrow(array: &Bound<'py, PyArray<T, D>>) -> PyResult<Self> {
        if array.is_empty() { Ok(Self(None)) } else { Ok(Self(Some(array.try_readwrite()?))) }
    }

    fn rows(&mut self, name: &str) -> PyResult<&mut [T]> {
        match &mut self.0 {
            None => Ok(&mut []),
            Some(array) => {
                array.as_slice_mut().map_err(|_| PyValueError::new_err(format!("buffer '{name}' must be C-contiguous")))
            }
        }
    }
}
