"""``history``, ``show``, ``stats``, ``fix``, ``backup``, ``forget``, ``recover`` as people call them."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from companion.cli import main
from companion.cli.keeping import rig_meta
from companion.errors import RecordError
from companion.pipeline import Rig
from companion.records import Store
from companion.records.dispute import RULES, write_turn
from companion.records.pictures import Picture, Pictures
from companion.rules import Reason, get_game
from companion.vision.calibration import Calibration
from tests.records.games import meta, play_game, plays_of

ANNA = {"players": {"white": "Анна", "black": "Boris: the, great"}}


def jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "green").save(out, format="JPEG")
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder with a short game, a long one of other players, and pictures of the first."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    with Store.open(tmp_path) as store:
        store.append(store.begin(meta("short") | ANNA), play_game(3, "short"))
        store.append(store.begin(meta("long") | {"started": "2025-01-02T10:00:00"}), play_game(4, "long", turns=9))
    with Pictures.open(tmp_path) as pictures:
        for turn in (1, 2, 3):
            pictures.keep(Picture(1, turn, "after", 10.0 * turn, "0" * 64, jpeg()))
    return tmp_path


def out(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    shown = capsys.readouterr()
    assert code == 0 or shown.err.count("\n") == 1
    return shown.out if code == 0 else shown.err


def test_the_history_is_filtered_by_player_date_and_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Анна" in out(capsys, "history", "--player", "анна")
    assert out(capsys, "history", "--player", "Nobody") == ""
    assert [line.split()[0] for line in out(capsys, "history", "--since", "2026").splitlines()] == ["1"]
    assert [line.split()[0] for line in out(capsys, "history", "--until", "2025-06").splitlines()] == ["2"]
    (line,) = out(capsys, "history", "--game", "long", "--json").splitlines()
    assert json.loads(line)["plays"] == 9
    assert "expected a date" in out(capsys, "history", "--since", "soon", code=1)
    assert "--game: expected one of long" in out(capsys, "history", "--game", "chess", code=1)


def test_the_board_becomes_a_picture_and_a_film(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: folder / f"board.{name}" for name in ("svg", "png", "gif", "mp4")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    assert out(capsys, "show", "1", "--turn", "4", *options) == ""
    assert files["svg"].read_text(encoding="utf-8").startswith("<svg")
    with Image.open(files["png"]) as png:
        assert png.size == (600, 520)
    with Image.open(files["gif"]) as gif:
        assert gif.n_frames == 5
        assert gif.size[0] > 1000  # the kept picture stands beside the board
    assert files["mp4"].read_bytes()[4:8] == b"ftyp"
    assert "no such file" in out(capsys, "show", "--png", "/no/such/place.png", code=1)
    assert "the film cannot be written" in out(capsys, "show", "--mp4", "/no/such/place.mp4", code=1)


def test_statistics_of_a_player_of_everybody_and_of_one_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plays = plays_of(play_game(3, "short"))
    data = json.loads(out(capsys, "stats", "--player", "анна", "--json"))["анна"]
    assert sum(data["rolls"].values()) == sum(p.player == "white" for p in plays)
    assert data["games"] == 1
    words = out(capsys, "stats", "1", "--plots", str(folder / "plots"))
    assert "Анна" in words
    assert "Boris: the, great" in words
    assert "Fair dice?" in words
    names = sorted(path.name for path in (folder / "plots").iterdir())
    assert names == ["illegal.svg", "numbers.svg", "race.svg", "results.svg", "rolls.svg", "times.svg"]
    assert "Everybody" in out(capsys, "stats")
    assert "--player: expected a name in" in out(capsys, "stats", "--player", "nobody", code=1)


def test_a_correction_is_stored_and_the_old_version_stays(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plays = plays_of(play_game(4, "long", turns=9))
    turn = max(n for n, play in enumerate(plays, 1) if play.dice and play.dice[0] != play.dice[1])
    dice = plays[turn - 1].dice or (0, 0)
    roll = f"{dice[1]}-{dice[0]}"
    assert (
        out(capsys, "fix", "2", "--turn", str(turn), "--roll", roll) == f"Recording 2, version 2: turn {turn}: {roll}\n"
    )
    assert out(capsys, "show", "2", "--version", "1") == out(capsys, "show", "2")  # the board is the same
    versions = out(capsys, "history", "--versions").splitlines()
    assert "corrected" in versions[2]
    assert versions[-1].strip().startswith("version 2")
    with Store.open(folder, write=False) as store:
        assert plays_of(store.events(2))[turn - 1].dice == dice[::-1]
        assert plays_of(store.events(2, 1))[turn - 1].dice == dice
    assert "nothing would change" in out(capsys, "fix", "2", "--turn", str(turn), "--roll", roll, code=1)


def test_a_conflict_shows_likely_corrections_and_changes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["fix", "2", "--turn", "4", "--play", "24/1"]
    assert main(command) == 1
    shown = capsys.readouterr()
    assert "turn 4" in shown.err
    assert "nothing was changed" in shown.err
    assert 2 <= len(shown.out.splitlines()) <= 5
    assert main([*command, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)["conflict"]
    assert data["turn"] == 4
    assert 1 <= len(data["corrections"]) <= 4
    with Store.open(folder, write=False) as store:
        assert len(store.versions(2)) == 1
    assert main([*command, "--choose", "9"]) == 1
    assert "--choose: expected 1 to" in capsys.readouterr().err


def test_a_wrong_correction_is_said_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--roll: roll: expected two dice" in out(capsys, "fix", "--turn", "1", "--roll", "7-1", code=1)
    assert "--turn: expected a turn from 1 to 9" in out(capsys, "fix", "--turn", "99", "--delete", code=1)
    assert "--player: expected white, black" in out(capsys, "fix", "--turn", "1", "--player", "red", code=1)
    assert "what is to be changed" in out(capsys, "fix", "--turn", "1", code=2)
    assert "at most one of" in out(capsys, "fix", "--turn", "1", "--delete", "--gap", code=2)


def test_a_backup_is_whole_and_old_ones_go(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("record-20200101T000000.sqlite", "record-20210101T000000.sqlite"):
        (folder / "backups").mkdir(exist_ok=True)
        (folder / "backups" / name).write_bytes(b"old")
    with Store.open(folder) as writer:
        number = writer.begin(meta())
        copy = Path(out(capsys, "backup", "--keep", "2").strip())
        writer.append(number, play_game(1, turns=1))
    assert sorted(p.name for p in copy.parent.iterdir()) == ["record-20210101T000000.sqlite", copy.name]
    with Store.open(copy, write=False) as store:
        assert len(store.recordings()) == 3
        assert store.events(1) == play_game(3, "short")


def test_a_forgotten_player_is_nowhere_and_the_games_stay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "stats")  # so that there are sums to strike out
    assert main(["forget", "--player", "АННА"]) == 1  # nobody answers
    capsys.readouterr()
    assert "1 recordings no longer have the name" in out(capsys, "forget", "--player", "АННА", "--yes")
    assert out(capsys, "history", "--player", "Анна") == ""
    for path in folder.iterdir():
        if path.is_file():
            assert "Анна".encode() not in path.read_bytes()
            assert "анна".encode() not in path.read_bytes()
            assert jpeg() not in path.read_bytes()
    with Store.open(folder) as store:
        assert store.events(1) == play_game(3, "short")
        assert store.recording(1).meta["players"] == {"white": None, "black": "Boris: the, great"}
        with pytest.raises(RecordError, match="only grows"), store.transaction() as connection:
            connection.execute("DELETE FROM events")
    assert "White" in out(capsys, "history")
    assert "--player: expected a name" in out(capsys, "forget", "--player", "Анна", "--yes", code=1)


def test_a_player_is_deleted_with_the_games(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1 recordings deleted" in out(capsys, "forget", "--player", "Анна", "--games", "--yes")
    with Store.open(folder, write=False) as store:
        assert [recording.id for recording in store.recordings()] == [2]
        assert store.events(1) == []


def test_all_pictures_are_deleted_with_one_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert out(capsys, "forget", "--pictures", "--yes") == "3 pictures deleted.\n"
    assert jpeg() not in (folder / "pictures.sqlite").read_bytes()
    assert "expected one of --player NAME and --pictures" in out(capsys, "forget", code=2)


def test_a_damaged_record_is_recovered_by_hand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "the record is whole" in out(capsys, "recover")
    path = folder / "record.sqlite"
    path.write_bytes(path.read_bytes()[:-5000])
    assert "damaged" in out(capsys, "recover")
    assert "the record is whole" in out(capsys, "recover")
    assert len(list(folder.glob("record.damaged-*.sqlite"))) == 1


def test_a_disputed_turn_is_one_file_with_everything(folder: Path) -> None:
    target = folder / "turn.zip"
    with Store.open(folder, write=False) as store:
        write_turn(store, store.recording(1), 2, target)
        first = target.read_bytes()
        write_turn(store, store.recording(1), 2, target)
        with pytest.raises(RecordError, match="--turn: expected a turn from 1 to"):
            write_turn(store, store.recording(1), 999, target)
    assert target.read_bytes() == first
    play = plays_of(play_game(3, "short"))[1]
    with zipfile.ZipFile(target) as archive:
        data = json.loads(archive.read("turn.json"))
        assert len([name for name in archive.namelist() if name.endswith(".jpg")]) == 3
        words = archive.read("turn.txt").decode()
        assert archive.read("before.svg").startswith(b"<svg")
    assert data["roll"] == list(play.dice or ())
    assert data["after"] == play.board
    assert data["before"] == plays_of(play_game(3, "short"))[0].board
    assert data["legal"] == [play.play]
    assert not data["pictures"][0]["unchanged"]  # the hash that the fixture noted is not that of the picture
    assert "played" in words


def test_a_disputed_turn_is_exported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = folder / "turn.zip"
    assert out(capsys, "export", "1", "--turn", "2", "--out", str(target)) == ""
    assert zipfile.is_zipfile(target)
    assert "--turn needs a file" in out(capsys, "export", "--turn", "2", code=2)
    assert "/no/such/place.zip: no such file or directory" in out(
        capsys, "export", "--turn", "2", "--out", "/no/such/place.zip", code=1
    )


def test_every_rule_has_its_text() -> None:
    assert {str(reason) for reason in Reason} == set(RULES)


def test_a_record_says_of_which_rig_it_is_and_another_calibration_is_another_rig() -> None:
    known = Calibration(lens="pi-3", board="club", corners=((0, 0), (9, 0), (9, 9), (0, 9)))
    moved = known.model_copy(update={"corners": ((1, 0), (9, 0), (9, 9), (0, 9))})
    first, second = (rig_meta(Rig(get_game("long"), calibration=each), "friday")["rig"] for each in (known, moved))
    assert (first["lens"], first["board"], first["profile"]) == ("pi-3", "club", "friday")
    assert first["calibration"] != second["calibration"]
    assert rig_meta(Rig(get_game("long"), calibration=known), "friday")["rig"] == first
    assert rig_meta(Rig(get_game("long")), None)["rig"]["calibration"] is None
