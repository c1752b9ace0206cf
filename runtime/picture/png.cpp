// The only file that sees libpng.
#include "runtime/picture/picture.hpp"

#include <png.h>

#include <string>

namespace sinter {

Result<std::vector<std::byte>> encode_png(const Picture& picture) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(picture.rgba.size() / 4 * 3);
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
        rgb.insert(rgb.end(), &picture.rgba[i], &picture.rgba[i] + 3);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::vector<std::byte> out(bytes);
    if (png_image_write_to_memory(&image, out.data(), &bytes, 0, rgb.data(), 0, nullptr) == 0) {
        return Error{
            ErrorKind::Internal, {}, "libpng cannot write the picture: " + std::string(image.message), {}};
    }
    out.resize(bytes);
    return out;
}

}  // namespace sinter
