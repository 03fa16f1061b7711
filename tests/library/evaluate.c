/* Values positions by an exported header. Prints the names of the features that it wants, then for
 * each line, which has the squares as digits (or a dash) and the values of the features, the score
 * and the terms that it is made of. */
#include <stdio.h>

#define JOIN(a, b) a##b
#define NAME(set, part) JOIN(set, part)
#define WANTED NAME(SET_UPPER, _FEATURES)
#define TERMS NAME(SET_UPPER, _TERMS)

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
        for (i = 0; digits[i] != '\0'; i++)
            squares[i] = (uint8_t)(digits[i] - '0');
        for (i = 0; i < WANTED; i++) {
            long value;
            if (scanf("%ld", &value) != 1)
                return 1;
            features[i] = (int32_t)value;
        }
        printf("%ld", (long)NAME(SET, _evaluate)(squares, features));
        NAME(SET, _terms)(squares, features, terms);
        for (i = 0; i < TERMS; i++) {
            printf(" %s=%lld", NAME(SET, _names)[i], (long long)terms[i]);
        }
        printf("\n");
    }
    return 0;
}
