//! How large a scene may be.

/// How many entries of the node stream a workgroup holds, and how many invocations it has.
pub const WORKGROUP_SIZE: u32 = 256;

/// The longest node stream of the algorithm in two levels, in which a workgroup holds one partition an invocation.
///
/// Source: Levien 2022, section 7 ("effective up to a problem size of w²").
pub const SIMPLE_MAX_NODES: u32 = WORKGROUP_SIZE * WORKGROUP_SIZE;

/// The bounds that a scene must keep on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest node stream, begins and ends counted.
    pub max_nodes: u64,
    /// The most elements.
    pub max_elements: u64,
}

/// Why a scene is too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// Too many begins and ends.
    #[error(
        "{need} begins and ends are more than {limit}, the least of what the buffers, the algorithm and the device can hold: \
         take larger buffers or another algorithm, split the input, or compute it on the CPU"
    )]
    Nodes {
        /// How many the scene has.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
    /// Too many elements.
    #[error(
        "{need} elements are more than {limit}, the least of what the buffers, the algorithm and the device can hold: \
         take larger buffers or another algorithm, split the scene, or compute it on the CPU"
    )]
    Elements {
        /// How many the scene has.
        need: u64,
        /// How many there may be.
        limit: u64,
    },
}

impl Limits {
    /// Checks a scene of this size.
    ///
    /// # Errors
    ///
    /// The limit that the scene breaks, with what it needs.
    pub fn check(&self, n_elements: usize, n_nodes: usize) -> Result<(), LimitsError> {
        let (n_elements, n_nodes) = (n_elements as u64, n_nodes as u64);
        if n_nodes > self.max_nodes {
            return Err(LimitsError::Nodes { need: n_nodes, limit: self.max_nodes });
        }
        if n_elements > self.max_elements {
            return Err(LimitsError::Elements { need: n_elements, limit: self.max_elements });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_scene_beyond_each_limit_is_refused() {
        let limits = Limits { max_nodes: 100, max_elements: 100 };
        assert_eq!(limits.check(100, 100), Ok(()));
        assert_eq!(limits.check(100, 101), Err(LimitsError::Nodes { need: 101, limit: 100 }));
        assert_eq!(limits.check(101, 0), Err(LimitsError::Elements { need: 101, limit: 100 }));
    }
}
