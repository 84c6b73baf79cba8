pub trait Shape {
    fn area(&self) -> f64;
}

pub struct Square(pub f64);

impl Shape for Square {}

pub fn show<T: std::fmt::Display>(what: T) -> String {
    format!("{what}")
}

pub fn broken() -> String {
    show(Square(1.0)) + &größe()
}
