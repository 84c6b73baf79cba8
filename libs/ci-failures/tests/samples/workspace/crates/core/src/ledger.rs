use anyhow::{bail, Context, Result};
pub fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading ledger {path}"))
}
pub fn check(n: i64) -> Result<()> {
    if n > 1 { bail!("ledger is off by {n}") }
    Ok(())
}

#[cfg(test)]
mod test_ledger {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn returns_an_error() -> Result<()> {
        read("/no/such/ledger.json")?;
        Ok(())
    }

    #[test]
    fn returns_a_boxed_error() -> Result<(), Box<dyn std::error::Error>> {
        check(3)?;
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, .. ProptestConfig::default() })]
        #[test]
        fn sums_are_small(a in 0i64..1000, b in 0i64..1000) {
            prop_assert!(a + b < 500, "too big: {}", a + b);
        }

        #[test]
        fn never_fails(a in 0i64..10) {
            prop_assert!(a < 10);
        }
    }

    #[test]
    fn snapshot_differs() {
        insta::assert_snapshot!("total: 4\nitems: 2", @"total: 3\nitems: 2");
    }

    mod nested {
        mod deeper {
            #[test]
            fn r#match() { assert_eq!(1, 2); }
            #[test]
            fn ünïcode_ok() { assert_ne!("a", "a", "must differ: {:?}", vec![1, 2]); }
        }
    }
}
