//! Parts of Vello's recordings, found by name.

use vello::low_level::{BufferProxy, Command, Recording, ResourceProxy};
use vello_encoding::ConfigUniform;

use crate::error::Error;

const CONFIG: &str = "vello.config";

/// The configuration that a recording uploads.
pub(crate) fn config(recording: &Recording) -> Result<ConfigUniform, Error> {
    let bytes = recording.commands.iter().find_map(|command| match command {
        Command::UploadUniform(proxy, bytes) if proxy.name == CONFIG => Some(bytes),
        _ => None,
    });
    let config = bytes.and_then(|bytes| bytemuck::try_pod_read_unaligned(bytes).ok());
    config.ok_or_else(|| unexpected("the upload of the configuration", &[CONFIG], &[]))
}

/// An error for a recording with something else than the supported version of Vello records.
pub(crate) fn unexpected(what: &'static str, expected: &[&'static str], found: &[&'static str]) -> Error {
    Error::Recording { what, expected: expected.to_vec(), found: found.to_vec() }
}

/// Replaces the configuration that a recording uploads.
pub(crate) fn set_config(recording: &mut Recording, config: &ConfigUniform) {
    for command in &mut recording.commands {
        if let Command::UploadUniform(proxy, bytes) = command
            && proxy.name == CONFIG
        {
            *bytes = bytemuck::bytes_of(config).to_vec();
        }
    }
}

/// The buffers of a dispatch.
///
/// # Errors
///
/// [`Error::Recording`] unless they have the `expected` names, in this order.
pub(crate) fn named<const N: usize>(
    what: &'static str,
    expected: [&'static str; N],
    resources: &[ResourceProxy],
) -> Result<[BufferProxy; N], Error> {
    let buffers: Vec<BufferProxy> = resources.iter().filter_map(|r| r.as_buf().copied()).collect();
    let found: Vec<&'static str> = buffers.iter().map(|proxy| proxy.name).collect();
    match buffers.try_into() {
        Ok(buffers) if found == expected && resources.len() == N => Ok(buffers),
        _ => Err(unexpected(what, &expected, &found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatch_with_other_buffers_is_refused() {
        let proxies = |names: &[&'static str]| -> Vec<ResourceProxy> {
            names.iter().map(|name| ResourceProxy::new_buf(16, name)).collect()
        };
        let names = ["vello.config", "vello.path_bbox_buf", "vello.bump_buf"];
        assert!(named("binning", names, &proxies(&names)).is_ok());
        assert!(named("binning", names, &proxies(&names[1..])).is_err());
        let mut swapped = names;
        swapped.swap(1, 2);
        let Err(error) = named("binning", names, &proxies(&swapped)) else { panic!("it is accepted") };
        assert!(error.to_string().contains("binning") && error.to_string().contains("path_bbox"), "{error}");
    }
}
