"""Figures that the benchmark of the expert kernels reads from ptxas and the disassembler."""

from __future__ import annotations

import pytest
from benchmarks.expert_spills import instruction_counts, ptxas_usage

REPORT = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_matmul' for 'sm_89'
ptxas info    : Function properties for _matmul
    4784 bytes stack frame, 10604 bytes spill stores, 10436 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 4784 bytes cumulative stack size
"""
SASS = """\
Function:_matmul
--:-:-:-:2\tIMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28];
--:-:1:-:4\tSTL.64 [R1+0x10], R2;
--:-:-:-:5\t@!P0 BRA LBB0;
LBB1:
06:-:2:-:1\tLDL.LU R2, [R1+0x67c];
02:-:-:-:1\tHMMA.16816.F32.BF16 R16, R8, R2, R32;
--:-:1:-:4\t@!P1 STL [R1+0x10], R2;
--:-:-:-:5\t@P2 BRA LBB1;
LBB0:
02:-:-:-:1\tHMMA.16816.F32.BF16 R16, R8, R2, R32;
02:-:-:-:1\tLDG.E.U8 R16, [R2.64];
LBB2:
--:-:-:Y:0\tBRA LBB2;
"""


def test_registers_and_spills_are_read_from_the_report_of_ptxas() -> None:
    assert ptxas_usage(REPORT) == {"registers": 40, "spill_stores": 10604, "spill_loads": 10436}


@pytest.mark.parametrize("report", ["", REPORT * 2])
def test_a_report_of_no_or_two_kernels_is_rejected(report: str) -> None:
    with pytest.raises(ValueError, match="not one"):
        ptxas_usage(report)


def test_a_loop_is_what_a_branch_goes_back_over() -> None:
    assert instruction_counts(SASS) == {
        "local": 3,
        "local_in_loop": 2,
        "tensor_core": 2,
        "tensor_core_in_loop": 1,
    }
