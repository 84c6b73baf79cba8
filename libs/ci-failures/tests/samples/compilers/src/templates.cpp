#include <algorithm>
#include <list>
#include <map>

struct Key {
    int value;
};

template <typename T>
T largest(const T &a, const T &b) {
    static_assert(sizeof(T) > 4, "T: error: is too small");
    return a < b ? b : a;
}

int main() {
    std::map<Key, int> all;
    all[Key{1}] = 2;
    std::list<int> some{3, 1};
    std::sort(some.begin(), some.end());
    return largest('a', 'b');
}
