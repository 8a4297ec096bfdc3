//! The one place where this program draws chance.

/// `N` bytes from the operating system.
///
/// # Errors
/// What the operating system said; a program without entropy must not go on.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}
