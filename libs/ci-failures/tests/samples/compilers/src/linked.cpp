#include <string>
int defined_nowhere(int value);
namespace app {
struct Store {
    void put(const std::string &key, int value);
    virtual ~Store();
};
}  // namespace app
int shared_counter = 1;

int main() {
    app::Store store;
    store.put("a", 1);
    return defined_nowhere(3) + defined_nowhere(4);
}
