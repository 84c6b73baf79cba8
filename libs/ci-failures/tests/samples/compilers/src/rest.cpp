#include <string>
int defined_nowhere(int value) { return value; }
namespace app {
struct Store {
    void put(const std::string &key, int value);
    virtual ~Store();
};
void Store::put(const std::string &, int) {}
Store::~Store() {}
}  // namespace app
