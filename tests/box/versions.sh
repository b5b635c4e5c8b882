#!/usr/bin/env bash
# Runs the tests of vision and a replay of the bundled game with the libraries of each system that a Pi may have: a virtual
# environment for each, with exactly these versions.
#
#   tests/box/versions.sh [bookworm] [trixie] [newest]      default: all that this machine has a Python for
#   VERSIONS=DIR   keep the environments there, and use them the next time
#   TESTS="…"      other tests (default: vision, camera, signals and the nouns)
set -euo pipefail

checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
systems=("$@")
(($#)) || systems=(bookworm trixie newest)
keep="${VERSIONS:-}"
work="${keep:-$(mktemp -d)}"
[[ -n $keep ]] || trap 'rm -rf "$work"' EXIT
read -ra tests <<<"${TESTS:-tests/vision tests/camera tests/signals tests/test_nouns.py tests/test_settle.py tests/test_example.py}"
passed=0 left_out=0

say() { printf '%s\n' "versions: $*"; }

python_of() { # python_of SYSTEM: the Python that it brings
    case $1 in bookworm) echo python3.11 ;; trixie) echo python3.13 ;; newest) echo python3 ;; esac
}
libraries_of() { # as apt brings them there; the newest of all
    case $1 in
        bookworm) echo "numpy==1.24.* opencv-python-headless==4.6.0.66 pillow==9.4.*" ;;
        trixie) echo "numpy==2.2.* opencv-python-headless==4.10.0.84 pillow==11.1.*" ;;
        newest) echo "numpy>=2 opencv-python-headless>=5" ;;
    esac
}

# The interpreter itself, or the newest of that name that pyenv keeps.
found() {
    local name=$1 version
    if "$name" -c '' 2>/dev/null; then
        command -v "$name"
    elif command -v pyenv >/dev/null; then
        version="$(pyenv versions --bare | grep "^${name#python}\." | tail -1 || true)"
        [[ -z $version ]] || echo "$(pyenv root)/versions/$version/bin/$name"
    fi
}

try() {
    local system=$1 python folder libraries
    python="$(found "$(python_of "$system")")"
    if [[ -z $python ]]; then
        say "$system: no $(python_of "$system") on this machine: left out"
        left_out=$((left_out + 1))
        return
    fi
    folder="$work/$system"
    read -ra libraries <<<"$(libraries_of "$system")"
    if [[ ! -e $folder/complete ]]; then
        rm -rf "$folder"
        "$python" -m venv "$folder"
        printf '%s\n' "${libraries[@]}" >"$folder/constraints.txt"
        # `dev` without what only looks at pages and types
        "$folder/bin/pip" install --quiet --disable-pip-version-check --prefer-binary -c "$folder/constraints.txt" \
            "${libraries[@]}" -e "$checkout" luma.oled 'pytest>=8' 'hypothesis>=6.100' 'babel>=2.12' 'httpx>=0.26'
        touch "$folder/complete"
    fi
    say "$system: $("$folder/bin/python" -c 'import sys, cv2, numpy, PIL
print("Python", sys.version.split()[0] + ", numpy", numpy.__version__ + ", OpenCV", cv2.__version__ + ", pillow", PIL.__version__)')"
    (cd "$checkout" && "$folder/bin/python" -m pytest -q -o cache_dir="$folder/cache" "${tests[@]}") || return 1
    (cd "$checkout" && "$folder/bin/python" -m companion.cli demo --fast >/dev/null) || return 1
    say "$system: passed"
    passed=$((passed + 1))
}

for system in "${systems[@]}"; do try "$system"; done
say "$passed passed, 0 failed, $left_out left out"
((passed))
