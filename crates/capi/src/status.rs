//! What a call answers.

use std::ffi::CStr;

/// Answer of every call that can fail; the numbers are part of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer that must not be NULL was.
    NullPointer = 1,
    /// `time_max` is not a finite number above 0.
    BadTimeMax = 2,
    /// `invalid_action_pen` is not a finite number of 0 or more.
    BadInvalidActionPen = 3,
    /// `reward_profile` names no profile.
    BadRewardProfile = 4,
    /// A switch of the configuration is neither 0 nor 1.
    BadSwitch = 5,
    /// The number of copies, of handles or of threads is out of range.
    BadCount = 6,
    /// The episode has ended and must be reset before it is stepped again.
    EpisodeOver = 7,
    /// A batch must be reset before it is stepped.
    NotReset = 8,
    /// The buffer does not hold the whole snapshot.
    BufferTooSmall = 9,
    /// The bytes are no snapshot of this world and version, or they are damaged.
    BadSnapshot = 10,
    /// The snapshot was made under another configuration.
    OtherConfig = 11,
    /// The library broke one of its own rules; the handle must be reset or destroyed.
    Internal = 12,
}

impl Status {
    /// Every status, in the order of the numbers.
    pub const ALL: [Self; 13] = [
        Self::Ok,
        Self::NullPointer,
        Self::BadTimeMax,
        Self::BadInvalidActionPen,
        Self::BadRewardProfile,
        Self::BadSwitch,
        Self::BadCount,
        Self::EpisodeOver,
        Self::NotReset,
        Self::BufferTooSmall,
        Self::BadSnapshot,
        Self::OtherConfig,
        Self::Internal,
    ];

    /// One line for people.
    #[must_use]
    pub const fn text(self) -> &'static CStr {
        match self {
            Self::Ok => c"done",
            Self::NullPointer => c"a pointer that must not be NULL is NULL",
            Self::BadTimeMax => c"time_max must be a finite number of ticks above 0",
            Self::BadInvalidActionPen => c"invalid_action_pen must be a finite number of 0 or more",
            Self::BadRewardProfile => c"reward_profile must be ABP_REWARD_V1 or ABP_REWARD_V2",
            Self::BadSwitch => c"every switch of the configuration must be 0 or 1",
            Self::BadCount => c"the number of copies, handles or threads is out of range",
            Self::EpisodeOver => c"the episode is over; reset it before stepping again",
            Self::NotReset => c"the batch has never been reset; reset it before stepping",
            Self::BufferTooSmall => c"the buffer is too small for the snapshot; its size was written to size_out",
            Self::BadSnapshot => c"the bytes are no intact snapshot of this world and version",
            Self::OtherConfig => c"the snapshot was made under another configuration",
            Self::Internal => c"internal error; reset or destroy the handle",
        }
    }
}

/// Returns one line for people about any number, in static memory.
#[unsafe(no_mangle)]
pub extern "C" fn abp_status_text(status: i32) -> *const std::ffi::c_char {
    let known = Status::ALL.into_iter().find(|known| *known as i32 == status);
    known.map_or(c"no such status", Status::text).as_ptr()
}
