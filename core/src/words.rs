//! The words of the closed lists, as text.

macro_rules! display {
    ($kind:ident) => {
        impl core::fmt::Display for $kind {
            /// The word used in errors and events.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use display;
