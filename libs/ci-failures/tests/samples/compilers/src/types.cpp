#include <string>
#include <vector>

struct Shape {
    virtual double area() const = 0;
};

int main() {
    std::string name = 5;
    std::vector<int> all = {1, 2};
    Shape shape;
    all.push("x");
    return name;
}
