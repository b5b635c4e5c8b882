#!/usr/bin/env bash
# Puts the companion on a Raspberry Pi (Raspberry Pi OS or Debian, Bookworm or Trixie). Safe to run again.
#
#   sudo ./install.sh                      install, or repair
#   sudo ./install.sh --update             install this version; go back to the old one when it does not start
#   sudo ./install.sh --uninstall          take it away; the records stay (with --purge they go too)
#   sudo ./install.sh --packages           bring the packages of the system, and nothing else
#
# Afterwards no network is needed. docs/install.md tells all of it step by step.
set -euo pipefail

SOURCE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
readonly SOURCE HOME_DIR=/opt/companion STATE=/var/lib/companion SETTINGS=/etc/companion
readonly RELEASES=$HOME_DIR/releases CURRENT=$HOME_DIR/current BROUGHT=$HOME_DIR/brought
readonly UNITS=/etc/systemd/system COMMAND=/usr/local/bin/companion RULES=/etc/udev/rules.d/60-companion.rules
readonly BOOT_CONFIG=/boot/firmware/config.txt
readonly UNITS_OF_OURS=(companion.service companion-backup.service companion-backup.timer companion-poweroff.service
    companion-poweroff.path)
readonly UNITS_OF_THE_HOTSPOT=(companion-hotspot.service companion-hotspot.timer)
readonly GROUPS_WANTED=(video gpio i2c spi audio)
readonly MUST_HAVE=(python3-venv python3-pip python3-numpy python3-opencv python3-pil)
readonly GOOD_TO_HAVE=(python3-picamera2 python3-lgpio espeak-ng i2c-tools)
readonly SPACE_MB=1500
readonly HOLDS_S=5

action=install purge=false dry=false yes=false hotspot='' button=''

usage() {
    cat <<'END'
Usage: sudo ./install.sh [--update | --packages | --uninstall [--purge]] [options]

  --update            install this version, and go back to the old one when it does not start
  --packages          bring the packages of the system, and nothing else
  --uninstall         take everything away but the records
  --purge             with --uninstall: the records, pictures and settings too
  --hotspot[=NAME]    open a Wi-Fi of our own (default name: Companion) when no known network is in reach
  --power-button=PIN  a button between this pin (BCM number) and ground switches off when held for 2 seconds
  --yes               do not ask anything
  --dry-run           say what would be done, and do nothing
  -h, --help          this text
END
}

# ---- saying and doing ----

say() { printf '%s\n' "companion: $*" >&2; }
die() {
    say "$*"
    exit 1
}
# do_it COMMAND…: run it, or with --dry-run only say it.
do_it() {
    if $dry; then printf '  %s\n' "$*"; else "$@"; fi
}
# put MODE FROM TO: one file of ours in its place.
put() { do_it install -D -m "$1" "$2" "$3"; }
live() { [[ -d /run/systemd/system ]]; }
ask() { # ask QUESTION: yes only when somebody is there who says so
    $yes || $dry || [[ ! -t 0 ]] && return 1
    read -r -p "$1 [y/N] " answer
    [[ $answer == [yY]* ]]
}
brought() { # brought KIND NAME: remember what was not there before, for --uninstall
    $dry || grep -qxF "$1 $2" "$BROUGHT" 2>/dev/null || printf '%s %s\n' "$1" "$2" >>"$BROUGHT"
}

read_arguments() {
    for word in "$@"; do
        case $word in
            --update | --uninstall | --packages) action=${word#--} ;;
            --purge) purge=true ;;
            --hotspot) hotspot=Companion ;;
            --hotspot=?*) hotspot=${word#*=} ;;
            --power-button=*) button=${word#*=} ;;
            --yes) yes=true ;;
            --dry-run) dry=true ;;
            -h | --help) usage && exit 0 ;;
            *) usage >&2 && exit 2 ;;
        esac
    done
    if [[ -n $button ]] && ! { [[ $button =~ ^[0-9]+$ ]] && ((button >= 2 && button <= 27)); }; then
        say "--power-button: expected a BCM number from 2 to 27, got $button" && exit 2
    fi
    if $purge && [[ $action != uninstall ]]; then say "--purge goes with --uninstall" && exit 2; fi
    if [[ -n $hotspot$button && $action != install ]]; then
        say "--hotspot and --power-button go with an installation, which may be done again, got --$action" && exit 2
    fi
}

check_machine() {
    # shellcheck disable=SC1091
    codename="$(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")"
    [[ $codename == bookworm || $codename == trixie ]] ||
        die "expected Raspberry Pi OS or Debian, Bookworm or Trixie, got $codename"
    [[ $(dpkg --print-architecture) =~ ^(arm64|amd64)$ ]] ||
        die "expected a 64-bit system, got $(dpkg --print-architecture): choose the 64-bit image in Raspberry Pi Imager"
    [[ -z $hotspot ]] || command -v nmcli >/dev/null ||
        die "--hotspot: expected NetworkManager, which Raspberry Pi OS has: sudo apt install network-manager"
    $dry && return
    [[ $(id -u) == 0 ]] || die "run it as root: sudo ./install.sh"
    local free_mb
    free_mb=$(df --output=avail -m /opt | tail -1)
    [[ $action == uninstall ]] || ((free_mb >= SPACE_MB)) || die "/opt: expected $SPACE_MB MB of free space, got $free_mb MB"
}

# ---- what is not ours: packages, user, interfaces ----

bring_packages() {
    local wanted=("${MUST_HAVE[@]}") package missing=()
    $dry || DEBIAN_FRONTEND=noninteractive apt-get -q update >/dev/null || say "the list of packages is as old as it was"
    for package in "${GOOD_TO_HAVE[@]}"; do
        # Only Raspberry Pi OS has picamera2 and lgpio; elsewhere a USB camera does, and pip has lgpio.
        if apt-cache show "$package" >/dev/null 2>&1; then wanted+=("$package"); fi
    done
    for package in "${wanted[@]}"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    say "installing ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive do_it apt-get -qy --no-install-recommends install "${missing[@]}" >&3
    for package in "${missing[@]}"; do brought package "$package"; done
}

make_user() {
    local group
    for group in companion "${GROUPS_WANTED[@]}"; do
        getent group "$group" >/dev/null || brought group "$group"
    done
    put 644 "$SOURCE/systemd/companion.sysusers" /etc/sysusers.d/companion.conf
    put 644 "$SOURCE/systemd/companion.tmpfiles" /etc/tmpfiles.d/companion.conf
    do_it systemd-sysusers /etc/sysusers.d/companion.conf
    do_it systemd-tmpfiles --create /etc/tmpfiles.d/companion.conf
    do_it chown -R companion:companion "$STATE" # records that an earlier installation left
}

turn_on_interfaces() {
    if command -v raspi-config >/dev/null && [[ $(raspi-config nonint get_i2c) == 1 ]]; then
        say "turning on I²C, for the display"
        do_it raspi-config nonint do_i2c 0
        brought interface i2c
    fi
    [[ -n $button ]] || return 0
    [[ -f $BOOT_CONFIG ]] || die "--power-button: expected $BOOT_CONFIG, which Raspberry Pi OS has"
    do_it sed -i '/# companion$/d' "$BOOT_CONFIG"
    $dry || printf '[all] # companion\ndtoverlay=gpio-shutdown,gpio_pin=%d,debounce=2000 # companion\n' "$button" >>"$BOOT_CONFIG"
    say "the button on pin $button switches off from the next start on"
}

# ---- the program: each version has a folder of its own, and `current` says which one is used ----

release_name() { # the version, and the sum of everything that goes into it
    local version sum
    version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$SOURCE/companion/__init__.py")
    sum=$(cd "$SOURCE" && { python3 --version 2>&1; find companion calibration models pyproject.toml -type f \
        -not -path '*/__pycache__/*' -not -path 'models/training/*' -print0 | sort -z | xargs -0 sha256sum; } | sha256sum)
    echo "$version-${sum:0:12}"
}

# What pip must not bring: apt's picamera2 and simplejpeg were built against apt's numpy, and pip's OpenCV wants a newer one.
dependencies() {
    python3 - "$SOURCE/pyproject.toml" <<'END'
import re, sys, tomllib
project = tomllib.load(open(sys.argv[1], "rb"))["project"]
wanted = project["dependencies"] + project["optional-dependencies"]["pi"]
print("\n".join(w for w in wanted if re.split(r"[^a-z0-9.-]", w)[0] not in ("numpy", "opencv-python-headless")))
END
}

build() ( # build FOLDER: a virtual environment with the program, on top of apt's Python packages
    set -e
    local folder=$1
    say "building the program; on a Raspberry Pi this takes some minutes"
    rm -rf "$folder"
    python3 -m venv --system-site-packages "$folder"
    python3 -c 'import numpy; print("numpy==" + numpy.__version__)' >"$folder/constraints.txt"
    dependencies >"$folder/requirements.txt"
    local pip=("$folder/bin/python" -m pip --quiet --disable-pip-version-check --no-cache-dir)
    "${pip[@]}" install --constraint "$folder/constraints.txt" --requirement "$folder/requirements.txt" hatchling
    "${pip[@]}" install --no-deps --no-build-isolation "$SOURCE"
    # A version counts when it referees the bundled game.
    (cd / && "$folder/bin/companion" demo --fast >/dev/null)
    touch "$folder/complete"
)

use() { # use FOLDER: from now on this one, in one step
    ln -sfn "$1" "$CURRENT.new"
    mv -T "$CURRENT.new" "$CURRENT"
}

install_program() { # build it unless it is there, and use it; what was used before is in $before
    local name folder
    name=$(release_name)
    folder=$RELEASES/$name
    before=$(readlink "$CURRENT" 2>/dev/null || true)
    if $dry; then
        say "would build $name in $folder, and use it" && return
    fi
    mkdir -p "$RELEASES"
    if [[ ! -e $folder/complete ]]; then
        local built
        set +e # a condition would turn it off inside, too
        build "$folder"
        built=$?
        set -e
        if ((built)); then
            rm -rf "$folder"
            [[ -n $before ]] || die "$name does not work on this machine, and nothing is installed"
            die "$name does not work on this machine: going on with ${before##*/}"
        fi
    fi
    use "$folder"
    say "$name is installed"
}

forget_old_versions() { # all but the one in use and the one before
    $dry && return
    local folder
    for folder in "$RELEASES"/*; do
        [[ $folder == "$(readlink "$CURRENT")" || $folder == "$before" ]] || rm -rf "$folder"
    done
}

# ---- the service ----

put_files() {
    local unit
    for unit in "${UNITS_OF_OURS[@]}"; do
        put 644 "$SOURCE/systemd/$unit" "$UNITS/$unit"
    done
    if [[ -n $hotspot || -e $UNITS/companion-hotspot.timer ]]; then
        for unit in "${UNITS_OF_THE_HOTSPOT[@]}"; do put 644 "$SOURCE/systemd/$unit" "$UNITS/$unit"; done
        put 755 "$SOURCE/systemd/companion-hotspot" "$HOME_DIR/companion-hotspot"
    fi
    put 644 "$SOURCE/systemd/60-companion.rules" "$RULES"
    put 755 "$SOURCE/systemd/companion.sh" "$COMMAND"
    put 644 "$SOURCE/docs/install.md" "$HOME_DIR/docs/install.md"
    if [[ -f $STATE/companion.toml.kept ]]; then
        put 644 "$STATE/companion.toml.kept" "$SETTINGS/companion.toml" # from before it was uninstalled
        do_it rm "$STATE/companion.toml.kept"
    fi
    [[ -f $SETTINGS/companion.toml ]] || put 644 "$SOURCE/systemd/companion.toml" "$SETTINGS/companion.toml"
}

start() {
    do_it systemctl -q enable companion.service companion-backup.timer companion-poweroff.path
    live || $dry || return 0
    do_it systemctl daemon-reload
    do_it udevadm control --reload
    do_it udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev
    do_it systemctl restart companion-backup.timer companion-poweroff.path
}

starts() { # does the service start, and hold?
    systemctl restart companion.service && sleep "$HOLDS_S" && systemctl -q is-active companion.service
}

set_up_hotspot() {
    [[ -n $hotspot ]] || return 0
    if $dry || ! nmcli -t -f NAME connection show | grep -qx companion-hotspot; then
        local password
        password=$(tr -dc 'a-hjkmnp-z2-9' </dev/urandom | head -c 10 || true)
        do_it nmcli connection add type wifi con-name companion-hotspot autoconnect no ssid "$hotspot" \
            802-11-wireless.mode ap ipv4.method shared ipv6.method disabled \
            wifi-sec.key-mgmt wpa-psk wifi-sec.psk "$password" >&2
        say "the Wi-Fi $hotspot has the password $password; its page is at http://10.42.0.1:8080"
    fi
    do_it systemctl -q enable companion-hotspot.timer
    if live; then do_it systemctl restart companion-hotspot.timer; fi
}

offer_calibration() {
    "$COMMAND" calibrate --help >/dev/null 2>&1 || return 0
    ask "Does the camera see the whole board now? Calibrate it" || return 0
    systemctl stop companion.service 2>/dev/null || true # the camera has one user at a time
    (cd "$STATE" && "$COMMAND" calibrate) || say "not calibrated; later: sudo companion calibrate"
}

# ---- the three things that it does ----

install_all() {
    do_it mkdir -p "$HOME_DIR"
    bring_packages
    make_user
    install_program
    put_files
    turn_on_interfaces
    start
    set_up_hotspot
    $dry && return
    offer_calibration
    if live && ! starts; then
        say "the service does not start yet: 'sudo companion doctor' says what is missing"
    fi
    forget_old_versions
    say "done: 'sudo companion doctor' checks everything, docs/install.md tells what to do next"
}

update() {
    [[ -L $CURRENT ]] || $dry || die "nothing is installed yet: run it without --update"
    local ran=false
    if live && systemctl -q is-active companion.service; then ran=true; fi
    bring_packages
    make_user
    install_program
    if $dry; then
        say "would restart the service, and go back to the old version when it does not start" && return
    fi
    local kept
    kept=$(mktemp)
    # Where there is no hotspot tar misses its script, and keeps the rest.
    tar -cPf "$kept" "$UNITS"/companion*.* "$RULES" "$COMMAND" "$HOME_DIR/companion-hotspot" 2>/dev/null || true
    put_files
    start
    # A service that did not run before (no camera, say) proves nothing about the new version.
    if $ran && ! starts; then
        use "$before"
        tar -xPf "$kept"
        rm "$kept"
        systemctl daemon-reload
        starts || say "the old version does not start either: see journalctl -u companion"
        die "the new version does not start: going on with ${before##*/}"
    fi
    rm "$kept"
    forget_old_versions
}

uninstall() {
    local unit
    for unit in "${UNITS_OF_OURS[@]}" "${UNITS_OF_THE_HOTSPOT[@]}"; do
        [[ -e $UNITS/$unit ]] || continue
        if live || $dry; then do_it systemctl -q stop "$unit" || true; fi
        do_it systemctl -q disable "$unit" 2>/dev/null || true
        do_it rm -f "$UNITS/$unit"
    done
    if live || $dry; then do_it systemctl daemon-reload; fi
    if command -v nmcli >/dev/null && nmcli -t -f NAME connection show 2>/dev/null | grep -qx companion-hotspot; then
        do_it nmcli connection delete companion-hotspot
    fi
    if [[ -f $BOOT_CONFIG ]]; then do_it sed -i '/# companion$/d' "$BOOT_CONFIG"; fi
    do_it rm -f "$COMMAND" "$RULES" /etc/sysusers.d/companion.conf /etc/tmpfiles.d/companion.conf
    give_back
    remove_empty_folders /etc/udev/rules.d /etc/udev /etc/sysusers.d /etc/tmpfiles.d
    take_user_away
    do_it rm -rf "$HOME_DIR" "$SETTINGS"
    if [[ -d $STATE ]]; then say "the records stay in $STATE; --uninstall --purge deletes them too"; fi
}

give_back() { # what was brought: interfaces are turned off again, packages become apt's to remove
    local kind name
    [[ -f $BROUGHT ]] || return 0
    while read -r kind name; do
        case $kind in
            interface) do_it raspi-config nonint do_i2c 1 ;;
            package) do_it apt-mark auto "$name" >&3 ;;
        esac
    done <"$BROUGHT"
    if grep -q '^package ' "$BROUGHT"; then say "packages that nothing else needs: sudo apt autoremove"; fi
}

remove_empty_folders() { # those that no package owns, either
    local folder
    for folder in "$@"; do
        if [[ -d $folder ]] && ! dpkg -S "$folder" >/dev/null 2>&1; then
            do_it rmdir --ignore-fail-on-non-empty "$folder"
        fi
    done
}

take_user_away() {
    if $purge; then
        do_it rm -rf "$STATE"
    elif [[ -d $STATE ]]; then
        if [[ -f $SETTINGS/companion.toml ]]; then put 640 "$SETTINGS/companion.toml" "$STATE/companion.toml.kept"; fi
        do_it chown -R root:root "$STATE"
        do_it rmdir --ignore-fail-on-non-empty "$STATE/backups" 2>/dev/null || true
    fi
    if getent passwd companion >/dev/null; then do_it userdel companion; fi
    if getent group companion >/dev/null; then do_it groupdel companion; fi
    local group
    for group in "${GROUPS_WANTED[@]}"; do
        # Ours only where it was not there before, and nobody has come to use it.
        if grep -qxF "group $group" "$BROUGHT" 2>/dev/null && [[ -z $(getent group "$group" | cut -d: -f4) ]]; then
            do_it groupdel "$group"
        fi
    done
}

main() {
    read_arguments "$@"
    check_machine
    exec 3>/dev/null # where the talk of apt goes; a dry run shows its command
    if $dry; then exec 3>&1 && say "this is what would be done:"; fi
    case $action in
        install) install_all ;;
        packages) do_it mkdir -p "$HOME_DIR" && bring_packages ;;
        update) update ;;
        uninstall) uninstall ;;
    esac
}

main "$@"
