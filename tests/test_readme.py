"""What the README and the other documents name exists."""

import re
import subprocess
from pathlib import Path

import pytest

from companion import cli

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def shell_lines(document: Path) -> list[str]:
    """The commands in a document's sh blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    return [line.split("#")[0].strip() for block in blocks for line in block.splitlines() if line.strip()]


COMMANDS = sorted({line for document in DOCUMENTS for line in shell_lines(document)})


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("companion ")])
def test_the_commands_of_the_documents_exist_with_their_options(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    command = line.split()[1]
    assert cli.main([command, "--help"]) == 0
    known = capsys.readouterr().out
    assert "Does not work here" not in known
    assert set(re.findall(r"--[a-z-]+", line)) <= set(re.findall(r"--[a-z-]+", known))


@pytest.mark.parametrize("target", sorted({line.split()[1] for line in COMMANDS if line.startswith("make ")}))
def test_the_make_targets_of_the_documents_exist(target: str) -> None:
    subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_the_links_of_the_documents_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    missing = [link for link in links if not (document.parent / link).exists()]
    assert not missing


def test_the_first_screen_of_the_readme_is_for_a_player() -> None:
    first = "\n".join((ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:24])
    assert "![" in first
    assert "make demo" in first
    assert "make test" in first
