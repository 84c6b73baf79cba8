#[derive(Debug, Clone, PartialEq)]
pub struct Money { pub units: i64, pub currency: String, pub note: Option<String> }

impl Money {
    pub fn new(units: i64, currency: &str) -> Self {
        Money { units, currency: currency.to_string(), note: None }
    }
    pub fn checked_div(&self, by: i64) -> i64 { self.units / by }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use test_case::test_case;

    #[test]
    fn structs_differ() {
        pretty_assertions::assert_eq!(Money::new(1, "EUR"), Money { note: Some("gift".into()), ..Money::new(2, "USD") });
    }

    #[test]
    fn divides_by_zero() {
        Money::new(1, "EUR").checked_div(0);
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn panics_with_overflow() {
        let v: Vec<i32> = vec![];
        let _ = v[3];
    }

    #[test]
    #[should_panic]
    fn ought_to_panic() {
        println!("test tests::decoy ... FAILED");
    }

    #[test]
    #[ignore = "needs the network"]
    fn is_ignored() { panic!("never"); }

    #[rstest]
    #[case(1, 1)]
    #[case::big(10, 11)]
    #[case("3".len() as i64, 4)]
    fn cases_of_rstest(#[case] a: i64, #[case] b: i64) {
        assert_eq!(a, b, "case of {a}");
    }

    #[test_case(1, 2 ; "one is two")]
    #[test_case(2, 2 ; "two is two")]
    #[test_case(-3, 3)]
    fn table(a: i64, b: i64) {
        assert!(a == b);
    }

    #[test]
    fn unwraps_none() {
        let x: Option<i32> = None;
        x.unwrap();
    }

    #[test]
    fn expects_ok() {
        let r: Result<i32, std::num::ParseIntError> = "x".parse::<i32>();
        r.expect("a number");
    }

    #[test]
    fn says_a_lot_in_many_lines() {
        println!("failures:\n");
        println!("---- money::tests::decoy stdout ----");
        println!("thread 'money::tests::decoy' panicked at src/decoy.rs:1:1:");
        println!("test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out");
        eprintln!("error: test failed, to rerun pass `--lib`");
        panic!("first line\nsecond line\n\nfourth line: [1, 2]");
    }

    #[test]
    fn other_thread() {
        std::thread::Builder::new().name("worker-1".into()).spawn(|| panic!("in the worker")).unwrap().join().unwrap();
    }

    #[test]
    fn matches_fail() {
        assert!(matches!(Some(3), Some(4)), "want 4");
        unreachable!();
    }
}
