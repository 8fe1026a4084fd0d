//! Opening an adapter and a device, for tools, tests, and examples. A renderer has its own.

use wgpu::{Adapter, Backends, Device, DeviceType, Instance, InstanceDescriptor, Queue, Surface};

/// The kinds of adapters with their names, the fastest first.
const KINDS: [(DeviceType, &str); 5] = [
    (DeviceType::DiscreteGpu, "discrete"),
    (DeviceType::IntegratedGpu, "integrated"),
    (DeviceType::VirtualGpu, "virtual"),
    (DeviceType::Cpu, "cpu"),
    (DeviceType::Other, "other"),
];

/// The name of a kind of adapter.
pub fn kind(device_type: DeviceType) -> &'static str {
    let own = KINDS.iter().find(|(known, _)| *known == device_type);
    own.expect("every kind is listed").1
}

/// An adapter with a device and its queue.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The instance that the adapter comes from.
    pub instance: Instance,
    /// The adapter of the device.
    pub adapter: Adapter,
    /// The device. It has WebGPU's default limits, except for the sizes of buffers and textures,
    /// which are the adapter's. It has no features except the requested ones.
    pub device: Device,
    /// Its queue.
    pub queue: Queue,
}

/// The reason why there is no device.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// wgpu found no adapter on this machine.
    #[error(
        "no graphics adapter was found: install a driver with Vulkan, Metal or Direct3D 12 \
         (on Debian and Ubuntu `apt-get install mesa-vulkan-drivers` has one in software)"
    )]
    NoAdapter,
    /// No adapter has the requested name.
    #[error("no adapter has \"{name}\" in its name; there are: {found}")]
    NoSuchAdapter {
        /// The requested name.
        name: String,
        /// The names of the adapters.
        found: String,
    },
    /// No adapter can present to the surface.
    #[error("no adapter can present to this window; there are: {found}")]
    NoneForSurface {
        /// The names of the adapters.
        found: String,
    },
    /// The adapter refuses to open a device.
    #[error("the adapter {adapter} refuses to open a device with WebGPU's default limits")]
    Device {
        /// The adapter's name.
        adapter: String,
        /// The reason.
        source: wgpu::RequestDeviceError,
    },
}

impl Gpu {
    /// All adapters, the best first.
    pub fn adapters() -> Vec<wgpu::AdapterInfo> {
        adapters(&Self::default_instance()).iter().map(Adapter::get_info).collect()
    }

    /// Opens the best adapter, or the best one with `name` in its name, ignoring case.
    ///
    /// The order is: discrete GPU, integrated GPU, virtual GPU, software.
    ///
    /// # Errors
    ///
    /// [`GpuError`] if there is no such adapter, or it refuses to open a device.
    pub fn open(name: Option<&str>) -> Result<Self, GpuError> {
        Self::open_with_features(name, wgpu::Features::empty())
    }

    /// The same, with those of `features` that the adapter supports. `device.features()` contains
    /// them.
    ///
    /// # Errors
    ///
    /// The same as [`open`](Self::open).
    pub fn open_with_features(name: Option<&str>, features: wgpu::Features) -> Result<Self, GpuError> {
        Self::open_on(Self::default_instance(), None, name, features)
    }

    /// The same, from the caller's instance, with an adapter that can present to `surface`.
    ///
    /// # Errors
    ///
    /// The same as [`open`](Self::open), or if no adapter can present to the surface.
    pub fn open_on(
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
        Self::open_adapter(instance, adapter, features)
    }

    /// Opens another device of the same adapter, with the same features. Its work does not wait for
    /// that of this device.
    ///
    /// # Errors
    ///
    /// [`GpuError`] if the adapter refuses to open a device.
    pub fn open_again(&self) -> Result<Self, GpuError> {
        Self::open_adapter(self.instance.clone(), self.adapter.clone(), self.device.features())
    }

    /// The same, but from another instance. The threads of an adapter in software belong to its
    /// instance, and have the priority of the thread that opens its first device.
    ///
    /// # Errors
    ///
    /// [`GpuError`] if the adapter is gone, or refuses to open a device.
    pub fn open_apart(&self) -> Result<Self, GpuError> {
        let (instance, info) = (Self::default_instance(), self.adapter.get_info());
        let same = adapters(&instance).into_iter().find(|adapter| adapter.get_info() == info);
        Self::open_adapter(instance, same.ok_or(GpuError::NoAdapter)?, self.device.features())
    }

    fn open_adapter(
        instance: Instance,
        adapter: Adapter,
        features: wgpu::Features,
    ) -> Result<Self, GpuError> {
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("boxwood"),
            required_features: features & adapter.features(),
            required_limits: limits(&adapter.limits()),
            ..Default::default()
        }))
        .map_err(|source| GpuError::Device { adapter: adapter.get_info().name, source })?;
        Ok(Self { instance, adapter, device, queue })
    }

    /// Submits recorded commands, and waits until the device has executed them.
    ///
    /// # Errors
    ///
    /// The device is lost, or does not answer.
    pub fn run(&self, record: impl FnOnce(&mut wgpu::CommandEncoder)) -> Result<(), wgpu::PollError> {
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("boxwood") });
        record(&mut encoder);
        self.queue.submit([encoder.finish()]);
        self.device.poll(wgpu::PollType::wait_indefinitely()).map(drop)
    }

    fn default_instance() -> Instance {
        Instance::new(InstanceDescriptor::new_without_display_handle_from_env())
    }
}

fn adapters(instance: &Instance) -> Vec<Adapter> {
    let mut adapters = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    // The sort is stable, so adapters of the same type keep the order of the driver.
    adapters
        .sort_by_key(|adapter| KINDS.iter().position(|(kind, _)| *kind == adapter.get_info().device_type));
    adapters
}

/// WebGPU's default limits, which the stages keep within, with the adapter's sizes of buffers and
/// textures.
fn limits(adapter: &wgpu::Limits) -> wgpu::Limits {
    wgpu::Limits {
        max_buffer_size: adapter.max_buffer_size,
        max_storage_buffer_binding_size: adapter.max_storage_buffer_binding_size,
        max_texture_dimension_2d: adapter.max_texture_dimension_2d,
        ..wgpu::Limits::default()
    }
}
