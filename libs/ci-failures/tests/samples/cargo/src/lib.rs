//! A library that adds, wrongly.

/// Adds.
///
/// ```
/// assert_eq!(app::add(1, 2), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 {
    a + b + 1
}

/// Does not even compile in its example.
///
/// ```
/// let x: i32 = "text";
/// ```
///
/// ```should_panic
/// app::deep(1);
/// ```
///
/// ```
/// app::deep(1);
/// ```
pub fn deep(n: usize) -> usize {
    let empty: Vec<usize> = Vec::new();
    if n == 0 {
        return empty[7];
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3, "adding {} and {}", 1, 2);
    }

    #[test]
    fn good() {
        println!("test tests::made_up ... FAILED");
    }

    #[test]
    fn says_much() {
        println!("failures:\n\n---- tests::invented stdout ----\nthread 'x' panicked at src/none.rs:1:1:\nno\n");
        println!("failures:\n    tests::invented\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n");
        panic!("several\nlines: --- FAIL: TestX (0.00s)\n\nfailures:\nend");
    }

    #[test]
    #[should_panic]
    fn should_panic_and_does_not() {}

    #[test]
    #[should_panic(expected = "other words")]
    fn panics_with_other_words() {
        panic!("these words");
    }

    #[test]
    #[should_panic]
    fn panics_as_it_should() {
        panic!("fine");
    }

    #[test]
    fn returns_an_error() -> Result<(), String> {
        Err("it went wrong".into())
    }

    #[test]
    fn in_a_library() {
        deep(0);
    }

    #[test]
    fn in_a_thread() {
        std::thread::Builder::new()
            .name("worker".into())
            .spawn(|| panic!("in the worker"))
            .unwrap()
            .join()
            .unwrap();
    }

    #[test]
    #[ignore]
    fn ignored() {
        panic!("never");
    }

    mod größe {
        #[test]
        fn same_name() {
            assert!("größe".is_ascii());
        }
    }
}
