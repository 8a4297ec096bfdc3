//! Random bytes from the operating system, for keys, nonces and salts.

/// Random bytes fit for keys.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has randomness");
    bytes
}
