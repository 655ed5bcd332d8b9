# The course books' kernels and their published figures: a part of check and of satbench.
set(textbook
    ${tests}/textbook/textbook_library.c
    ${tests}/textbook/textbook_machine.c
    ${tests}/textbook/textbook_reduce.c
    ${tests}/textbook/textbook_scan.c
    ${tests}/textbook/textbook_table.c)
