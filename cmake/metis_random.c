/* The random numbers of METIS, which it takes from rand() and srand() of the C library: one hidden state for the whole
   process, so that partitions made at the same time disturb each other and differ from run to run. METIS is compiled
   with these two names instead: one state per thread, the same sequence on every system.
   Generator: xorshift32, George Marsaglia, "Xorshift RNGs", 2003, section 3 (triple 13, 17, 5). */
#include <stdint.h>
#include <stdlib.h>

int sinter_metis_rand(void);
void sinter_metis_srand(unsigned seed);

static _Thread_local uint32_t state = 2463534242u;

int sinter_metis_rand(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int)(state & 0x7fffffffu);
}

/* Zero is the one state that xorshift never leaves. Small seeds are spread over all bits first. */
void sinter_metis_srand(unsigned seed) {
    state = (uint32_t)seed * 2654435769u + 0x9e3779b9u;
    if (state == 0) {
        state = 2463534242u;
    }
}

/* METIS catches SIGABRT and SIGTERM of the whole process during each call, to free its memory when one comes: two calls at
   the same time would leave its handler installed for good. It gets no handler: a signal does what it did before. */
typedef void (*handler)(int);
handler sinter_metis_signal(int number, handler wanted);

handler sinter_metis_signal(int number, handler wanted) {
    (void)number;
    (void)wanted;
    return 0;
}
