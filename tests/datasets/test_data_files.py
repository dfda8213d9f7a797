import functools
import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from coterie.datasets._files import (
    ChecksumError,
    DataFile,
    cache_folder,
    find_data_file,
    write_atomically,
)

CONTENTS = b"three\nsmall\nlines\n"
CHECKSUM = hashlib.sha256(CONTENTS).hexdigest()
NOBODY_LISTENS = "http://127.0.0.1:9/small.txt"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An empty ``COTERIE_DATA`` and an absent cache."""
    data, cache = tmp_path / "chosen", tmp_path / "cache"
    data.mkdir()
    monkeypatch.setenv("COTERIE_DATA", str(data))
    monkeypatch.setenv("COTERIE_CACHE", str(cache))
    return data, cache


@pytest.fixture
def website(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a loopback server, and the folder that it serves."""
    served = tmp_path / "served"
    served.mkdir()
    handler = functools.partial(QuietHandler, directory=str(served))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", served
        server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


class TruncatingHandler(QuietHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENTS)))
        self.end_headers()
        self.wfile.write(CONTENTS[:5])


def small_file(url: str | None = None, checksum: str = CHECKSUM) -> DataFile:
    return DataFile("part/small.txt", (checksum,), "the shelf on the left", url)


def put(path: Path, contents: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents)
    return path


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_chosen_folder_comes_before_the_cache(folders):
    data, cache = folders
    put(cache / "data/part/small.txt", CONTENTS)
    chosen = put(data / "part/small.txt", CONTENTS)
    assert find_data_file(small_file()) == chosen


def test_the_cache_comes_before_a_download(folders):
    cached = put(folders[1] / "data/part/small.txt", CONTENTS)
    assert find_data_file(small_file(NOBODY_LISTENS)) == cached


@pytest.mark.parametrize("place", ["chosen", "cache/data"])
def test_other_contents_are_an_error_with_both_checksums(folders, place):
    other = b"other contents"
    path = put(folders[0].parent / place / "part/small.txt", other)
    with pytest.raises(ChecksumError) as caught:
        find_data_file(small_file(NOBODY_LISTENS))
    for said in (str(path), CHECKSUM, hashlib.sha256(other).hexdigest(), "the shelf on the left"):
        assert said in str(caught.value)


def test_any_of_the_accepted_checksums_will_do(folders):
    path = put(folders[0] / "part/small.txt", CONTENTS)
    file = DataFile("part/small.txt", ("0" * 64, CHECKSUM), "the shelf")
    assert find_data_file(file) == path


def test_a_download_is_kept_for_the_next_time(folders, website):
    url, served = website
    put(served / "small.txt", CONTENTS)
    path = find_data_file(small_file(f"{url}/small.txt"))
    assert path == folders[1] / "data/part/small.txt"
    assert path.read_bytes() == CONTENTS
    assert find_data_file(small_file(NOBODY_LISTENS)) == path


def test_a_download_with_other_contents_is_an_error_and_leaves_nothing(folders, website):
    url, served = website
    put(served / "small.txt", b"an error page")
    with pytest.raises(ChecksumError, match=CHECKSUM):
        find_data_file(small_file(f"{url}/small.txt"))
    assert files_below(folders[1]) == []


def test_a_download_that_breaks_off_leaves_nothing(folders):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), TruncatingHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/small.txt"
        with pytest.raises((ChecksumError, FileNotFoundError)):
            find_data_file(small_file(url))
        server.shutdown()
    assert files_below(folders[1]) == []


def test_a_page_that_is_not_there_is_an_error_with_the_reason(folders, website):
    url, _ = website
    with pytest.raises(FileNotFoundError, match="404"):
        find_data_file(small_file(f"{url}/absent.txt"))


def test_offline_and_absent_says_what_to_put_where(folders):
    data, cache = folders
    with pytest.raises(FileNotFoundError) as caught:
        find_data_file(small_file(NOBODY_LISTENS))
    said = str(caught.value)
    assert f"Looked for {data / 'part/small.txt'} and {cache / 'data/part/small.txt'}." in said
    assert f"from the shelf on the left and save it as {data / 'part/small.txt'}" in said
    assert NOBODY_LISTENS in said
    assert not cache.exists() or files_below(cache) == []


def test_a_file_behind_an_account_says_so_and_that_no_folder_is_set(folders, monkeypatch):
    monkeypatch.delenv("COTERIE_DATA")
    with pytest.raises(FileNotFoundError) as caught:
        find_data_file(small_file())
    assert "without an account" in str(caught.value)
    assert "COTERIE_DATA is not set" in str(caught.value)


def test_a_cache_that_cannot_be_written_is_named_in_the_error(folders, website):
    url, served = website
    put(served / "small.txt", CONTENTS)
    put(folders[1], b"a file where the folder should be")
    with pytest.raises(FileNotFoundError, match=str(folders[1])):
        find_data_file(small_file(f"{url}/small.txt"))


def test_a_write_that_fails_keeps_the_old_file_and_no_other(tmp_path):
    path = put(tmp_path / "kept.txt", CONTENTS)

    def fail(stream):
        stream.write(b"half")
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk is full"):
        write_atomically(path, fail)
    assert files_below(tmp_path) == [path]
    assert path.read_bytes() == CONTENTS


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"COTERIE_CACHE": "/a/b", "XDG_CACHE_HOME": "/c", "HOME": "/d"}, "/a/b"),
        ({"XDG_CACHE_HOME": "/c", "HOME": "/d"}, "/c/coterie"),
        ({"HOME": "/d"}, "/d/.cache/coterie"),
    ],
)
def test_the_cache_is_where_the_user_says(monkeypatch, variables, expected):
    for name in ("COTERIE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(expected)
