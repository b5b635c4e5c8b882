"""The units, users and scripts of the box: verified with systemd's and shellcheck's own tools."""

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "systemd"
SERVICES = sorted(FOLDER.glob("*.service"))
SCRIPTS = [CHECKOUT / "install.sh", FOLDER / "companion.sh", FOLDER / "companion-hotspot",
           *sorted((CHECKOUT / "tests" / "box").glob("*.sh"))]  # fmt: skip
MOST_EXPOSED = 3.0


def run(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, env=os.environ | environment
    )


def unit(name: str) -> configparser.RawConfigParser:
    """A unit; of a key that stands there more than once, the last."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(FOLDER / name)
    return parser


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    kinds = ("*.service", "*.timer", "*.path")
    for path in (path for kind in kinds for path in FOLDER.glob(kind)):
        # What the units start is not installed here; everything else is verified as it is.
        text = path.read_text(encoding="utf-8").replace("/opt/companion/", f"{tmp_path}/")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    for program in ("current/bin/companion", "companion-hotspot", "docs/install.md"):
        (tmp_path / program).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / program).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / program).chmod(0o755)
    done = run("systemd-analyze", "verify", "--man=no", *(unit for kind in kinds for unit in tmp_path.glob(kind)))
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "companion" in line]
    assert ours == []


@pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.name)
def test_services_are_hardened(service: Path) -> None:
    done = run("systemd-analyze", "security", "--offline=yes", "--no-pager", service)
    verdict = next(line for line in done.stdout.splitlines() if "Overall exposure level" in line)
    assert float(verdict.split(":")[1].split()[0]) <= MOST_EXPOSED, verdict


def test_the_service_is_as_the_design_says() -> None:
    service = unit("companion.service")["Service"]
    assert service["Type"] == "notify"
    assert service["WatchdogSec"] == "30s"
    assert service["Restart"] == "on-failure"
    assert service["StateDirectory"] == "companion"
    assert service["WorkingDirectory"] == "/var/lib/companion"
    assert service["User"] == "companion"
    assert {"video", "gpio", "i2c", "spi"} <= set(service["SupplementaryGroups"].split())
    assert unit("companion.service")["Unit"]["StartLimitBurst"]


@pytest.mark.parametrize("service", SERVICES, ids=lambda path: path.name)
def test_what_services_say_goes_to_the_journal_only(service: Path) -> None:
    found = unit(service.name)["Service"]
    assert {found.get("StandardOutput", "journal"), found.get("StandardError", "journal")} == {"journal"}


def test_the_user_and_the_folders_are_made_by_systemd_s_own_tools(tmp_path: Path) -> None:
    for folder in ("etc", "usr/lib", "var/lib"):
        (tmp_path / folder).mkdir(parents=True)
    done = run("systemd-sysusers", f"--root={tmp_path}", "--replace=/etc/sysusers.d/companion.conf",
               FOLDER / "companion.sysusers")  # fmt: skip
    assert done.returncode == 0, done.stderr
    (user,) = [u for u in (tmp_path / "etc/passwd").read_text().splitlines() if u.startswith("companion:")]
    assert user.endswith(":/var/lib/companion:/usr/sbin/nologin")
    groups = {g.split(":")[0] for g in (tmp_path / "etc/group").read_text().splitlines() if g.endswith(":companion")}
    assert groups == {"video", "gpio", "i2c", "spi", "audio"}
    done = run("systemd-tmpfiles", "--create", f"--root={tmp_path}", FOLDER / "companion.tmpfiles")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "var/lib/companion/backups").stat().st_mode & 0o777 == 0o750


def test_the_scripts_are_clean() -> None:
    done = run("shellcheck", *SCRIPTS)
    assert done.returncode == 0, done.stdout


def test_the_settings_that_are_installed_can_be_read() -> None:
    from companion.config import load_settings

    settings = load_settings(FOLDER / "companion.toml")
    assert settings.camera.device == "auto"
    assert settings.web["host"] == "0.0.0.0"


def test_every_line_of_them_that_can_be_put_in_force_is_right(tmp_path: Path) -> None:
    from companion.config import load_settings

    text = (FOLDER / "companion.toml").read_text(encoding="utf-8")
    _, _, rest = text.partition("\n\n")
    in_force = "\n".join(line.removeprefix("# ") for line in rest.splitlines())
    (tmp_path / "companion.toml").write_text(in_force, encoding="utf-8")
    settings = load_settings(tmp_path / "companion.toml")
    assert settings.display.device[:2] == ("--display", "ssd1306")
    assert (settings.buzzer.pin, settings.voice.on, settings.language) == (12, True, "ru")
    assert len(settings.buttons.by_name) == 7
    assert settings.buttons.by_name["off"].hold == "poweroff"


@pytest.mark.parametrize("action", [(), ("--update",), ("--uninstall",), ("--uninstall", "--purge")])
def test_a_dry_run_tells_and_does_nothing(action: tuple[str, ...]) -> None:
    before = shutil.which("companion", path="/usr/local/bin"), Path("/opt/companion").exists()
    done = run(CHECKOUT / "install.sh", "--dry-run", *action)
    assert done.returncode == 0, done.stderr
    assert "this is what would be done" in done.stderr
    assert before == (shutil.which("companion", path="/usr/local/bin"), Path("/opt/companion").exists())


def test_a_hotspot_is_set_up_with_its_units_and_a_password_that_is_told(tmp_path: Path) -> None:
    (tmp_path / "nmcli").write_text("#!/bin/sh\n")
    (tmp_path / "nmcli").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run(CHECKOUT / "install.sh", "--dry-run", "--hotspot=Club", PATH=path)
    assert done.returncode == 0, done.stderr
    told = done.stdout + done.stderr
    for file in ("/etc/systemd/system/companion-hotspot.timer", "/etc/systemd/system/companion-hotspot.service"):
        assert told.count(file) == 1
    assert "/opt/companion/companion-hotspot\n" in told
    (password,) = re.findall(r"the Wi-Fi Club has the password ([a-z2-9]{10});", told)
    assert "ssid Club 802-11-wireless.mode ap ipv4.method shared" in told
    assert f"wifi-sec.psk {password}" in told
    assert "enable companion-hotspot.timer" in told


@pytest.mark.parametrize(
    "wrong",
    [
        ("--power-button=40",),
        ("--power-button=x",),
        ("--purge",),
        ("--frobnicate",),
        ("--update", "--hotspot"),
        ("--uninstall", "--power-button=26"),
    ],
)
def test_a_wrong_command_line_is_refused(wrong: tuple[str, ...]) -> None:
    assert run(CHECKOUT / "install.sh", "--dry-run", *wrong).returncode == 2


@pytest.mark.parametrize(
    ("at_first", "then", "opened"),
    [
        ("wifi:connected", "", False),
        ("ethernet:connected\nwifi:disconnected", "", False),
        ("wifi:disconnected", "wifi:connected", False),
        ("wifi:disconnected", "wifi:disconnected", True),
        ("ethernet:unavailable\nwifi:unavailable", "ethernet:unavailable\nwifi:disconnected", True),
        ("loopback:connected (externally)", "loopback:connected (externally)", True),
    ],
)
def test_the_hotspot_opens_only_when_no_network_is_in_reach(
    at_first: str, then: str, opened: bool, tmp_path: Path
) -> None:
    """What NetworkManager says of its devices at first, and when it has looked for networks again."""
    (tmp_path / "says1").write_text(f"{at_first}\n")
    (tmp_path / "says2").write_text(f"{then}\n")
    nmcli = f"""#!/bin/sh
cd {tmp_path}
case "$*" in
    *"device status") echo >>asked; cat "says$(wc -l <asked)" ;;
    *) echo "$*" >>done ;;
esac
"""
    for name, text in (("nmcli", nmcli), ("sleep", "#!/bin/sh\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "done").touch()
    done = run("sh", FOLDER / "companion-hotspot", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "done").read_text().splitlines()
    assert any(line.endswith("connection up companion-hotspot") for line in lines) is opened
