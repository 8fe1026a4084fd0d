//! The errors of measurements, checks, and plots.

use std::io;

/// The reason why a measurement, a check, or a plot failed.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// There is no device.
    #[error(transparent)]
    Gpu(#[from] boxwood::native::GpuError),
    /// An input exceeds the limits of the device or of an algorithm.
    #[error(transparent)]
    Limits(#[from] boxwood::LimitsError),
    /// A scene is not valid, or exceeds the limits of the device.
    #[error(transparent)]
    Update(#[from] boxwood::UpdateError),
    /// A scene for the CPU is not valid.
    #[error(transparent)]
    Scene(#[from] boxwood_cpu::SceneError),
    /// The threads of the CPU could not be started.
    #[error("the threads that measure the CPU cannot be started")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// An input exceeds the limits of the device or of a spatial stage.
    #[error(transparent)]
    Spatial(#[from] boxwood::spatial::SpatialError),
    /// The adapter refuses to open a second device.
    #[cfg(feature = "anchors")]
    #[error("the adapter refuses to open a second device")]
    SecondDevice(#[from] wgpu::RequestDeviceError),
    /// The results could not be read back.
    #[error(transparent)]
    ReadBack(#[from] boxwood::ReadBackError),
    /// No family has this name.
    #[error(transparent)]
    NoSuchFamily(#[from] boxwood_inputs::NoSuchFamily),
    /// There is no size to run.
    #[error("--min {min} is above --max {max}: no size is left")]
    NoSize {
        /// The requested minimum, as a logarithm to base 2.
        min: u32,
        /// The requested maximum.
        max: u32,
    },
    /// The results could not be written.
    #[error("cannot write the results")]
    Output(#[source] io::Error),
    /// A line of a table of measurements is invalid.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A table of measurements has no rows.
    #[error("there are no measurements in it")]
    NoRows,
    /// Vello's renderer could not be created, or could not draw a frame.
    #[error("Vello cannot draw the frame")]
    Vello(#[from] vello::Error),
    /// Boxwood's renderer could not be created, or could not draw a frame.
    #[error("Boxwood cannot draw the frame")]
    Renderer(#[from] boxwood_vello::Error),
    /// A plot could not be drawn, for this reason.
    #[error("cannot draw the plot: {0}")]
    Plot(String),
}
