//! Prices and ledgers.
pub mod ledger;
pub mod money;
mod parse;

/// Adds two amounts.
///
/// ```
/// assert_eq!(acme_core::add(2, 2), 5);
/// ```
pub fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Never compiles as it should.
///
/// ```compile_fail
/// let x: i64 = acme_core::add(1, 2);
/// ```
///
/// ```should_panic
/// acme_core::add(1, 2);
/// ```
pub fn sub(a: i64, b: i64) -> i64 {
    a - b
}
