fn main() { println!("{:?}", acme_core::add(1, 2)); }

#[cfg(test)]
mod tests {
    #[test]
    fn binary_test() { assert_eq!(acme_core::add(1, 1), 3, "of the binary"); }
}
