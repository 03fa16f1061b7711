/* Values positions by an exported header. Prints the names of the features that it wants, then for
 * each line, which has the squares as digits (or a dash), the phase and the values of the features,
 * the score and the terms that it is made of. */
#include <stdio.h>

#define JOIN(a, b) a##b
#define NAME(set, part) JOIN(set, part)
#define WANTED NAME(SET_UPPER, _FEATURES)
#define TERMS NAME(SET_UPPER, _TERMS)
/* A set with weights by phase takes the phase of the position, which every line has. */
#ifdef HAS_PHASES
#define PHASE , (int)phase
#else
#define PHASE
#endif

int main(void)
{
    char digits[256];
    uint8_t squares[256];
    int32_t features[WANTED + 1];
    int64_t terms[TERMS + 1];
    int i;
    for (i = 0; i < WANTED; i++)
        printf("%s ", NAME(SET, _names)[i]);
    printf("\n");
    while (scanf("%255s", digits) == 1) {
        long phase;
        if (scanf("%ld", &phase) != 1)
            return 1;
        for (i = 0; digits[i] != '\0'; i++)
            squares[i] = (uint8_t)(digits[i] - '0');
        for (i = 0; i < WANTED; i++) {
            long value;
            if (scanf("%ld", &value) != 1)
                return 1;
            features[i] = (int32_t)value;
        }
        printf("%ld", (long)NAME(SET, _evaluate)(squares, features PHASE));
        NAME(SET, _terms)(squares, features PHASE, terms);
        for (i = 0; i < TERMS; i++) {
            printf(" %s=%lld", NAME(SET, _names)[i], (long long)terms[i]);
        }
        printf("\n");
    }
    return 0;
}
