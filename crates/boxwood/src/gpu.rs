//! A device of one's own, for tools, tests and examples. A renderer brings its own.

use wgpu::{Adapter, Backends, Device, DeviceType, Instance, InstanceDescriptor, Queue, Surface};

/// An adapter with a device and its queue.
#[derive(Debug)]
pub struct Gpu {
    /// Where the adapter comes from.
    pub instance: Instance,
    /// What the device runs on.
    pub adapter: Adapter,
    /// The device: WebGPU's default limits but for the sizes of buffers and textures, which are the adapter's; no
    /// feature but those asked for.
    pub device: Device,
    /// Its queue.
    pub queue: Queue,
}

/// Why there is no device.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// The machine has no adapter that wgpu can use.
    #[error(
        "no graphics adapter was found: install a driver with Vulkan, Metal or Direct3D 12 \
         (on Debian and Ubuntu `apt-get install mesa-vulkan-drivers` has one in software)"
    )]
    NoAdapter,
    /// There are adapters, but none as asked for.
    #[error("no adapter's name has \"{name}\" in it: {found}")]
    NoSuchAdapter {
        /// The name asked for.
        name: String,
        /// The names there are.
        found: String,
    },
    /// There are adapters, but none that can present to the surface.
    #[error("no adapter can present to this window: {found}")]
    NoneForSurface {
        /// The names there are.
        found: String,
    },
    /// The adapter refuses a device.
    #[error("the adapter {adapter} refuses a device with WebGPU's default limits: {source}")]
    Device {
        /// The adapter's name.
        adapter: String,
        /// Its reason.
        source: wgpu::RequestDeviceError,
    },
}

impl Gpu {
    /// Every adapter there is, the best first.
    pub fn adapters() -> Vec<wgpu::AdapterInfo> {
        adapters(&Self::default_instance()).iter().map(Adapter::get_info).collect()
    }

    /// The best adapter, or the best of those whose name has `name` in it (case does not count).
    ///
    /// A discrete GPU is better than an integrated one, that better than a virtual one, that better than software.
    ///
    /// # Errors
    ///
    /// No adapter, none of that name, or one that refuses a device.
    pub fn open(name: Option<&str>) -> Result<Self, GpuError> {
        Self::open_on(Self::default_instance(), None, name)
    }

    /// The same, with those of `features` that the adapter has; `device.features()` tells which.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with_features(name: Option<&str>, features: wgpu::Features) -> Result<Self, GpuError> {
        Self::open_as(Self::default_instance(), None, name, features)
    }

    /// The same, from the caller's instance, and able to present to `surface`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), or no adapter that can present to the surface.
    pub fn open_on(
        instance: Instance,
        surface: Option<&Surface<'_>>,
        name: Option<&str>,
    ) -> Result<Self, GpuError> {
        Self::open_as(instance, surface, name, wgpu::Features::empty())
    }

    fn open_as(
        instance: Instance,
        surface: Option<&Surface<'_>>,
        name: Option<&str>,
        features: wgpu::Features,
    ) -> Result<Self, GpuError> {
        let mut candidates = adapters(&instance);
        if candidates.is_empty() {
            return Err(GpuError::NoAdapter);
        }
        let found = candidates.iter().map(|a| a.get_info().name).collect::<Vec<_>>().join(", ");
        if let Some(name) = name {
            let wanted = name.to_lowercase();
            candidates.retain(|a| a.get_info().name.to_lowercase().contains(&wanted));
            if candidates.is_empty() {
                return Err(GpuError::NoSuchAdapter { name: name.to_owned(), found });
            }
        }
        let adapter = candidates
            .into_iter()
            .find(|a| surface.is_none_or(|s| a.is_surface_supported(s)))
            .ok_or(GpuError::NoneForSurface { found })?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("boxwood"),
            required_features: features & adapter.features(),
            required_limits: limits(&adapter.limits()),
            ..Default::default()
        }))
        .map_err(|source| GpuError::Device { adapter: adapter.get_info().name, source })?;
        Ok(Self { instance, adapter, device, queue })
    }

    fn default_instance() -> Instance {
        Instance::new(InstanceDescriptor::new_without_display_handle_from_env())
    }
}

fn adapters(instance: &Instance) -> Vec<Adapter> {
    let mut adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    // Stable: among equals the driver's own order stays.
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Cpu => 3,
        DeviceType::Other => 4,
    });
    adapters
}

/// The most bytes that a device with these limits binds as one storage buffer.
pub fn max_binding_size(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// WebGPU's defaults, which the stages keep within, with the largest buffers and textures there are.
fn limits(adapter: &wgpu::Limits) -> wgpu::Limits {
    wgpu::Limits {
        max_buffer_size: adapter.max_buffer_size,
        max_storage_buffer_binding_size: adapter.max_storage_buffer_binding_size,
        max_texture_dimension_2d: adapter.max_texture_dimension_2d,
        ..wgpu::Limits::default()
    }
}
