#!/usr/bin/env bash
# Runs install.sh for real inside bare Debian folders: installed twice, updated to a version that works and to two that do
# not, taken away. Needs root, debootstrap, and the Debian mirror and the index of pip packages that this machine uses.
#
#   tests/box/debootstrap.sh [bookworm] [trixie]      default: both
#   BOX_BASE=DIR     keep the bare folders there, and use them the next time
#   BOX_UPDATES=no   leave out the updates, each of which builds the program again
set -euo pipefail

checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
suites=("$@")
(($#)) || suites=(bookworm trixie)
work="$(mktemp -d)"
base="${BOX_BASE:-$work}"
root=''

say() { printf '%s\n' "box: $*"; }
fail() {
    printf '%s\n' "box: FAILED: $*" >&2
    exit 1
}
# What this machine says to pip goes in with the environment, what it says to apt as a file: a Pi needs neither.
index="$(python3 -m pip config get global.index-url 2>/dev/null || true)"
inside() {
    chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 OMP_NUM_THREADS=1 \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_NO_INPUT=1 PIP_DEFAULT_TIMEOUT=120 ${index:+PIP_INDEX_URL="$index"} "$@"
}
let_go() {
    [[ -n $root ]] || return 0
    stop_pretended
    umount -q "$root/proc" "$root/dev" || true
    umount -q "$root" || true
}
stop_pretended() {
    [[ ! -f $root/run/pretended.pid ]] || kill -9 "$(cat "$root/run/pretended.pid")" 2>/dev/null || true
}
clean() {
    let_go
    rm -rf "$work"
}
trap clean EXIT

# The mirror that this machine uses, whatever it is.
mirror() {
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' \
        /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null |
        grep -v security | head -1
}

bare() { # bare SUITE: a fresh Debian in $root, with the network and the certificates of this machine
    root="$work/$1"
    if [[ ! -e $base/$1-base.complete ]]; then
        debootstrap --variant=minbase --include=ca-certificates,systemd "$1" "$base/$1-base" "$(mirror)" >"$base/$1.log" 2>&1 ||
            fail "debootstrap $1: $(tail -3 "$base/$1.log")"
        touch "$base/$1-base.complete"
    fi
    mkdir "$root" "$work/upper" "$work/overlay"
    # A layer over the bare folder where the kernel can do that, else a copy.
    mount -t overlay overlay -o "lowerdir=$base/$1-base,upperdir=$work/upper,workdir=$work/overlay" "$root" 2>/dev/null ||
        cp -a "$base/$1-base/." "$root"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    cp -r /etc/apt/auth.conf.d "$root/etc/apt/" 2>/dev/null || true
    apt-config dump | grep -E '^Acquire::(Check|http|https|Retries)' >"$root/etc/apt/apt.conf.d/90box" || true
    mount --bind /dev "$root/dev"
    mount -t proc proc "$root/proc"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/box" # a folder that is thrown away needs no syncing
    mkdir "$root/src"
    (cd "$checkout" && tar -c --exclude=__pycache__ --exclude=models/training install.sh pyproject.toml README.md companion calibration models systemd docs/install.md) |
        tar -x -C "$root/src"
}

# Every path that no Debian package owns, without what apt, dpkg and their helpers keep for themselves.
unowned() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./src -o -path ./tmp -o -path ./run -o -path ./var/cache \
        -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./etc/alternatives -o -path './usr/*/__pycache__' \
        -o -path ./var/lib/systemd -o -path ./usr/share/mime -o -path ./var/lib/ucf -o -path './usr/share/glib-2.0/schemas' \
        -o -path './etc/*-' -o -path ./var/lib/python -o -name '*.cache' \) -prune -o -print) | sed 's/^\.//' | sort >"$work/all"
    # Since the merge of /usr a package may name a file by its old place.
    cat "$root"/var/lib/dpkg/info/*.list | sed -E 's#^/(bin|sbin|lib|lib64)(/|$)#/usr/\1\2#' |
        cat - "$root"/var/lib/dpkg/info/*.list | sort -u >"$work/owned"
    comm -23 "$work/all" "$work/owned" | grep -vE '^/(usr/)?(s?bin|lib.*)/.*(alternatives|\.so(\.|$))' || true
}

has() { inside test -e "$1" || fail "$suite: expected $1"; }
has_not() { [[ ! -e $root$1 && ! -L $root$1 ]] || fail "$suite: expected no $1"; }

check_installed() {
    local path user groups
    for path in /opt/companion/current/bin/companion /usr/local/bin/companion /etc/companion/companion.toml \
        /etc/systemd/system/multi-user.target.wants/companion.service \
        /etc/systemd/system/timers.target.wants/companion-backup.timer \
        /etc/systemd/system/paths.target.wants/companion-poweroff.path /etc/udev/rules.d/60-companion.rules; do
        has "$path"
    done
    user=$(inside getent passwd companion) || fail "$suite: expected a user companion"
    [[ $user == *nologin ]] || fail "$suite: expected no shell, got $user"
    groups=" $(inside id -Gn companion) "
    for path in video gpio i2c spi; do [[ $groups == *" $path "* ]] || fail "$suite: expected group $path, got$groups"; done
    [[ $(inside stat -c %U:%a /var/lib/companion) == companion:750 ]] || fail "$suite: /var/lib/companion has another owner"
    # As the service: with apt's numpy and OpenCV, in its own folder.
    inside companion --version
    inside /opt/companion/current/bin/python -c 'import cv2, numpy; print(numpy.__version__, cv2.__version__, cv2.__file__)' |
        tee "$work/versions" | grep -q /usr/lib/python3/ || fail "$suite: expected apt's OpenCV, got $(cat "$work/versions")"
    say "$suite: $(inside python3 --version), numpy and OpenCV $(cat "$work/versions")"
    inside systemd-analyze verify --man=no /etc/systemd/system/companion.service /etc/systemd/system/companion-backup.timer \
        /etc/systemd/system/companion-poweroff.path \
        >"$work/verify" 2>&1 || fail "$suite: systemd-analyze verify: $(cat "$work/verify")"
    inside env SYSTEMD_LOG_LEVEL=err systemd-analyze security --offline=yes --threshold=30 --no-pager \
        /etc/systemd/system/companion.service >"$work/security" 2>&1 || fail "$suite: exposure: $(tail -1 "$work/security")"
    say "$suite: $(tail -1 "$work/security" | tr -d '→')"
}

# A stand-in for systemd: it starts what the unit starts, as the unit's user, with a film in place of the camera, and as
# for Type=notify a start has succeeded when the service says that it is ready, however long a slow machine takes.
pretend_systemd() {
    mkdir -p "$root/run/systemd/system" "$root/usr/local/sbin"
    cat >"$root/usr/local/sbin/systemctl" <<'END'
#!/usr/bin/python3
import os, signal, socket, subprocess, sys, time

PID, READY, SAID = "/run/pretended.pid", "/run/pretended.ready", "/run/pretended.log"
SERVICE = "companion run --simulate --speed 0.2 --page 127.0.0.1:0"


def alive():
    try:
        state = open(f"/proc/{open(PID).read()}/stat").read().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def restarted():
    if alive():
        os.kill(int(open(PID).read()), signal.SIGTERM)
    while alive():
        time.sleep(0.1)
    if os.path.exists(READY):
        os.remove(READY)
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(READY)
    os.chmod(READY, 0o666)
    told.settimeout(0.2)
    with open(SAID, "w") as said:
        started = subprocess.Popen(
            SERVICE.split(), stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
            env={**os.environ, "NOTIFY_SOCKET": READY},
        )
    with open(PID, "w") as pid:
        pid.write(str(started.pid))
    while started.poll() is None:
        try:
            if b"READY=1" in told.recv(1024):
                return True
        except TimeoutError:
            pass
    return False


words = sys.argv[1:]
if "companion.service" in words and "restart" in words:
    sys.exit(not restarted())
if "companion.service" in words and "is-active" in words:
    sys.exit(0 if alive() else 3)
END
    printf '#!/bin/sh\n' >"$root/usr/local/sbin/udevadm"
    chmod +x "$root/usr/local/sbin/systemctl" "$root/usr/local/sbin/udevadm"
}

stop_pretending() {
    stop_pretended
    rm -r "$root/run/systemd/system" "$root/usr/local/sbin/systemctl" "$root/usr/local/sbin/udevadm"
}

current() { readlink "$root/opt/companion/current"; }

put() { (cd "$root" && sha256sum usr/local/bin/companion etc/systemd/system/companion*.* etc/udev/rules.d/60-companion.rules); }

refused() { # refused REASON: the update fails, says why, and the version before goes on and runs, with all its files
    local before files
    before=$(current)
    files=$(put)
    if inside /src/install.sh --update --yes >"$work/update" 2>&1; then fail "$suite: the broken version was taken"; fi
    grep -q "$1: going on with ${before##*/}" "$work/update" || fail "$suite: update: $(cat "$work/update")"
    [[ $(current) == "$before" ]] || fail "$suite: not rolled back"
    [[ $(put) == "$files" ]] || fail "$suite: files of the broken version were left: $(diff <(put) - <<<"$files")"
    inside systemctl is-active companion.service || fail "$suite: the old version does not run: $(cat "$root/run/pretended.log")"
}

check_updates() {
    local before version="$root/src/companion/__init__.py"
    before=$(current)
    pretend_systemd
    inside systemctl restart companion.service || fail "$suite: the service does not start: $(cat "$root/run/pretended.log")"
    sed -i 's/^__version__ = .*/__version__ = "99.0"/' "$version"
    inside /src/install.sh --update --yes || fail "$suite: the new version was not taken"
    [[ $(current) == */99.0-* && $(inside companion --version) == *99.0* ]] || fail "$suite: expected 99.0, got $(current)"
    inside systemctl is-active companion.service || fail "$suite: 99.0 does not run: $(cat "$root/run/pretended.log")"
    [[ -d $root$before ]] || fail "$suite: expected the version before to be kept"
    say "$suite: an update that works is taken"
    # This one referees the bundled game, but its service does not start.
    printf '\nraise SystemExit(1)\n' >>"$root/src/companion/cli/service.py"
    printf '# of a version that does not start\n' | tee -a "$root/src/systemd/companion.sh" "$root/src/systemd/60-companion.rules" \
        >>"$root/src/systemd/companion.service"
    refused "the new version does not start"
    say "$suite: an update that does not start is rolled back"
    # This one does not even referee the bundled game.
    printf '\nraise SystemExit(1)\n' >>"$root/src/companion/cli/demo.py"
    refused "does not work on this machine"
    say "$suite: an update that does not referee is not taken"
    stop_pretending
}

check_gone() { # check_gone BEFORE: nothing of ours is left
    unowned >"$work/after"
    if comm -13 "$1" "$work/after" | grep . >"$work/left"; then fail "$suite: left behind: $(head -20 "$work/left" | tr '\n' ' ')"; fi
    cut -d: -f1 "$root/etc/passwd" "$root/etc/group" | sort | cmp -s - "$work/names" || fail "$suite: users or groups are left"
    say "$suite: nothing of ours is left"
    inside apt-get -qqy autoremove --purge >/dev/null 2>&1
    # What others recommend stays, as apt is set up; what install.sh named goes.
    packages | comm -13 "$work/packages" - | grep -xE 'python3-(venv|pip|numpy|opencv|pil)|espeak-ng|i2c-tools' >"$work/left" || true
    [[ ! -s $work/left ]] || fail "$suite: packages that autoremove does not take: $(tr '\n' ' ' <"$work/left")"
}

packages() { inside dpkg-query -W | cut -f1 | sort; }

try() {
    suite=$1
    local began=$SECONDS
    bare "$suite"
    inside /src/install.sh --dry-run >/dev/null
    has_not /opt/companion
    packages >"$work/packages"
    inside /src/install.sh --packages
    # What packages make beyond their own files is theirs; what comes from here on is ours.
    unowned | grep -v ^/opt/companion >"$work/before"
    cut -d: -f1 "$root/etc/passwd" "$root/etc/group" | sort >"$work/names"
    inside /src/install.sh --yes
    check_installed
    say "$suite: installed in $((SECONDS - began)) s"
    local again=$SECONDS
    inside /src/install.sh --yes
    check_installed
    say "$suite: installed again in $((SECONDS - again)) s"
    [[ ${BOX_UPDATES:-yes} == no ]] || check_updates
    inside touch /var/lib/companion/record.sqlite
    inside /src/install.sh --uninstall
    has /var/lib/companion/record.sqlite
    has_not /opt/companion
    inside /src/install.sh --uninstall --purge
    check_gone "$work/before"
    let_go
    rm -rf "$root" "$work/upper" "$work/overlay"
    say "$suite: passed in $((SECONDS - began)) s"
}

for suite in "${suites[@]}"; do try "$suite"; done
say "${#suites[@]} passed, 0 failed"
