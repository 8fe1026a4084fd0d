//! The syntax of a text: which of its bytes are brackets.

use alloc::vec::Vec;

/// What a byte is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BracketRole {
    /// It opens a bracket of a kind.
    Open(u8),
    /// It closes a bracket of a kind.
    Close(u8),
    /// It is not allowed.
    Invalid,
}

impl BracketRole {
    /// The number of kinds of brackets. A kind is less than this.
    pub const N_KINDS: u8 = 7;

    /// The number of the role on the GPU: 1 to 7 for the kinds that open, 8 to 14 for those that
    /// close, and 15 for a byte that is not allowed. A byte without a role has the number 0.
    ///
    /// # Panics
    ///
    /// Panics if the kind is not less than [`N_KINDS`](Self::N_KINDS).
    pub fn number(self) -> u8 {
        if let Self::Open(kind) | Self::Close(kind) = self {
            assert!(kind < Self::N_KINDS, "{kind} is not a kind of brackets: there are {}", Self::N_KINDS);
        }
        match self {
            Self::Open(kind) => 1 + kind,
            Self::Close(kind) => 1 + Self::N_KINDS + kind,
            Self::Invalid => 1 + 2 * Self::N_KINDS,
        }
    }

    /// The role with this number.
    pub fn of_number(number: u32) -> Option<Self> {
        let kinds = 0..Self::N_KINDS;
        let brackets = kinds.clone().map(Self::Open).chain(kinds.map(Self::Close));
        brackets.chain([Self::Invalid]).find(|role| u32::from(role.number()) == number)
    }
}

/// The syntax of a text: a state machine that reads its bytes, with up to 16 states.
///
/// The machine has no stack, so it cannot read comments that nest, or code inside of strings. It
/// begins in state 0. Each byte leads from a state to the next one, and may be a bracket
/// or not be allowed. The text may end in some of the states.
///
/// ```
/// use boxwood_cpu::specification::tree::{BracketRole, BracketSyntax, brackets};
///
/// // Parentheses, and strings in single quotes, in which a quote is doubled.
/// const CODE: u8 = 0;
/// const STRING: u8 = 1;
/// let syntax = BracketSyntax::new()
///     .on(CODE, b"'", STRING)
///     .on(STRING, b"'", CODE)
///     .mark(CODE, b'(', BracketRole::Open(0))
///     .mark(CODE, b')', BracketRole::Close(0));
/// let rows = brackets(b"(a ')' (b))", &syntax)?;
/// assert_eq!(rows.iter().map(|row| row.position).collect::<Vec<_>>(), [0, 7, 9, 10]);
/// assert_eq!(rows[1].link.parent, 0);
/// # Ok::<(), boxwood_cpu::specification::tree::BracketError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BracketSyntax {
    /// The next state and the role of each byte in each state.
    steps: Vec<[(u8, Option<BracketRole>); N_STATES]>,
    /// Whether a text may end in each state.
    is_final: [bool; N_STATES],
}

/// The index of a state in the tables.
///
/// # Panics
///
/// Panics if the state is not less than 16.
fn index_of(state: u8) -> usize {
    assert!(usize::from(state) < N_STATES, "{state} is not a state: they are 0 to {}", N_STATES - 1);
    usize::from(state)
}

/// The number of states, of which a syntax may use fewer.
const N_STATES: usize = 16;

impl Default for BracketSyntax {
    fn default() -> Self {
        Self::new()
    }
}

impl BracketSyntax {
    /// A syntax without brackets, in which every byte keeps every state, and in which a text may
    /// end in state 0.
    pub fn new() -> Self {
        let kept = core::array::from_fn(|state| (u8::try_from(state).expect("there are 16 states"), None));
        let mut is_final = [false; N_STATES];
        is_final[0] = true;
        Self { steps: alloc::vec![kept; 256], is_final }
    }

    /// Each of these bytes leads from a state to `next`. This replaces where it led before, and
    /// keeps its role.
    ///
    /// # Panics
    ///
    /// Panics if a state is not less than 16.
    #[must_use]
    pub fn on(mut self, state: u8, bytes: &[u8], next: u8) -> Self {
        // Both states are checked, even if there are no bytes.
        let from = index_of(state);
        index_of(next);
        for &byte in bytes {
            self.steps[usize::from(byte)][from].0 = next;
        }
        self
    }

    /// Each byte leads from a state to `next`.
    ///
    /// # Panics
    ///
    /// Panics if a state is not less than 16.
    #[must_use]
    pub fn on_every_byte(self, state: u8, next: u8) -> Self {
        self.on(state, &(0..=u8::MAX).collect::<Vec<_>>(), next)
    }

    /// A byte has a role in a state.
    ///
    /// # Panics
    ///
    /// Panics if the state is not less than 16, or the kind not less than
    /// [`BracketRole::N_KINDS`].
    #[must_use]
    pub fn mark(mut self, state: u8, byte: u8, role: BracketRole) -> Self {
        // A role without a number has a kind that is too large.
        role.number();
        self.steps[usize::from(byte)][index_of(state)].1 = Some(role);
        self
    }

    /// A text may also end in these states.
    ///
    /// # Panics
    ///
    /// Panics if a state is not less than 16.
    #[must_use]
    pub fn end_in(mut self, states: &[u8]) -> Self {
        for &state in states {
            self.is_final[index_of(state)] = true;
        }
        self
    }

    /// The next state and the role of a byte.
    ///
    /// # Panics
    ///
    /// Panics if the state is not less than 16.
    pub fn step(&self, state: u8, byte: u8) -> (u8, Option<BracketRole>) {
        self.steps[usize::from(byte)][index_of(state)]
    }

    /// Whether a text may end in a state.
    ///
    /// # Panics
    ///
    /// Panics if the state is not less than 16.
    pub fn may_end_in(&self, state: u8) -> bool {
        self.is_final[index_of(state)]
    }

    /// The syntax as the shaders read it, with the layout of `BracketSyntax` in
    /// `bracket_syntax.wgsl`.
    pub fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::with_capacity(256 * N_STATES / 4 + 4);
        for states in &self.steps {
            for four in states.chunks(4) {
                let byte = |(next, role): (u8, Option<BracketRole>)| {
                    next | (role.map_or(0, BracketRole::number) << 4)
                };
                words.push(u32::from_le_bytes(core::array::from_fn(|i| byte(four[i]))));
            }
        }
        let is_final = self.is_final.iter().enumerate();
        words.push(is_final.map(|(state, is_final)| u32::from(*is_final) << state).sum());
        words.extend([0; 3]);
        words
    }
}
