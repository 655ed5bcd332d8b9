/* Prefixes of an axis continued beyond it, by every edge: each is a word of the table, with a weight that is the rule's.
 * cbmc: --unwind 2 */
#include "proofs/proof.h"

#include "box/box_rule.h"

/* The definition, sample by sample: the weight of sample k in the continued prefix at i + 1, less that at i. */
static int64_t weight_of(satk_edge edge, int i, int n, int k)
{
    satk_term t[2];
    int64_t weight = 0;
    satk_continued(edge, i, n, &t[0], &t[1]);
    HOLDS(t[0].at >= 0 && t[0].at <= n && t[1].at >= 0 && t[1].at <= n);
    weight += k < t[0].at ? t[0].weight : 0;
    weight += k < t[1].at ? t[1].weight : 0;
    return weight;
}

void prove_prefix_grows_by_its_sample(void)
{
    int8_t i;
    uint8_t n, k;
    satk_edge edge;
    GIVEN(n > 0 && n <= 8 && k < n && i > -40 && i < 40);
    GIVEN(edge == SATK_CLAMP || edge == SATK_WRAP || edge == SATK_MIRROR);
    const int turn = ((i % (2 * n)) + 2 * n) % (2 * n), in = edge == SATK_WRAP ? turn % n : turn;
    const int sample = edge == SATK_CLAMP ? satk_clipped(i, 0, n - 1)
                       : in < n           ? in
                                          : 2 * n - 1 - in;
    HOLDS(weight_of(edge, i + 1, n, k) - weight_of(edge, i, n, k) == (k == sample));
}
