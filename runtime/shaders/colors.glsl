// Colours that tell things apart.
// A hash whose neighbours look different (Jarzynski, Olano: "Hash Functions for GPU Rendering", JCGT 2020, pcg).
uint hash(uint x) {
    uint state = x * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

vec3 hue(float h) { return clamp(abs(fract(h + vec3(0.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0) - 1.0, 0.0, 1.0); }

vec3 color_of_id(uint id) {
    uint h = hash(id);
    vec3 c = hue(float(h & 1023u) / 1024.0);
    return mix(vec3(0.75), c, 0.45 + 0.3 * float((h >> 10) & 255u) / 255.0) * (0.6 + 0.4 * float((h >> 18) & 255u) / 255.0);
}
