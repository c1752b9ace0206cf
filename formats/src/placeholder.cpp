#include <sinter/formats/result.hpp>
