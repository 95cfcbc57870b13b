import re

import pytest

from tests.bench.__main__ import main


@pytest.mark.alone
def test_a_quick_run_measures_a_real_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--only", "memory"]) == 0
    found = re.findall(r"([\d.]+) MiB after ([\d,]+) moves", capsys.readouterr().out)
    (early, few), (late, many) = [(float(size), int(moves)) for size, moves in found]
    assert 20 < early <= late < 200
    assert 50 <= few <= many
    assert many >= 500
