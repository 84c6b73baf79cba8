#pragma once
#include "not_there.hpp"
