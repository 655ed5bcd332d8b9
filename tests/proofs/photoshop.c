/* Records and resources of any block of Photoshop's. cbmc: --unwind 9 */
#include "proofs/proof.h"

#include "format/photoshop.c"

void prove_record_lies_within(void)
{
    const bytes in = any_bytes(ANY_SIZE);
    const size_t size = record_size(in);
    HOLDS(size == 0 || (size >= 5 && size <= in.size));
}

void prove_resource_lies_within(void)
{
    const bytes in = any_bytes(ANY_SIZE);
    resource r;
    if (!read_resource(in, &r))
        return;
    HOLDS(lies_in(r.head, in) && lies_in(r.data, in));
    HOLDS(r.whole >= r.head.size + r.data.size && r.whole <= in.size && r.head.size >= 12);
}
