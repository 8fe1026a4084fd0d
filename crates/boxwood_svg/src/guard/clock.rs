//! Points in time. WebAssembly has no clock, so its host is asked.

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

#[cfg(target_family = "wasm")]
pub(crate) use host::Instant;

#[cfg(target_family = "wasm")]
mod host {
    use std::time::Duration;

    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        /// The time since the program began, in milliseconds. Workers have it as well.
        #[wasm_bindgen(js_namespace = performance)]
        fn now() -> f64;
    }

    /// A point in time, as the time since the program began.
    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Self {
            Self(Duration::from_secs_f64(now() / 1e3))
        }

        pub(crate) fn elapsed(self) -> Duration {
            Self::now().0.saturating_sub(self.0)
        }

        pub(crate) fn checked_add(self, duration: Duration) -> Option<Self> {
            self.0.checked_add(duration).map(Self)
        }
    }
}
