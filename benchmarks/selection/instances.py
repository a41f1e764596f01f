# SPDX-License-Identifier: BSL-1.0
"""The public instances of the suite: their files and the published results.

extraction: github.com/egraphs-good/extraction-gym (MIT) and github.com/cornell-zhang/SmoothE
(Apache-2.0); optima.csv has the best values known. mmkp: github.com/kzyma/MMKP_Heuristics and the
OR-Library. pbqp: register allocation of LLVM 14 for Lua, zlib, bzip2 and lz4.

limits: extractions of at most 2,000 candidates after wf's reductions, with two more metrics,
both limited at the same time: the number of nodes, and the depth, which is the number of nodes on
the longest path. The limits are 105, 120 and 150 % (rounded down) of what the best selection known
without them uses. It keeps these limits, so that the best value stays what it was: what is asked is
whether it is proven with limits that a search has to mind.

tight: the same, but one limit at a time, in per cent of the least that any selection uses. That
limit often costs something; nobody published the values.

uses.csv has what selections use, as `run --set extraction --uses FILE` writes it.
"""

import collections
import csv
import gzip
import os
import pathlib
import shutil
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
PERCENT = (105, 120, 150)
MOST_REDUCED = 2000  # limit of candidates after reduction for the instances in uses.csv

# name; file; the best published value, as text; whether it is proven optimal; limits on the number
# of nodes and on the depth, empty if there are none
Instance = collections.namedtuple("Instance", "name path value proven nodes depth",
                                  defaults=("", ""))

ORLIB = {"I01": "173", "I02": "364", "I03": "1602", "I04": "3597", "I05": "3905.70",
         "I06": "4799.30"}


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def stamp(path):
    """A value that changes when the file does."""
    found = path.stat()
    return f"{found.st_size} {found.st_mtime_ns}"


def unpack(archive, folder):
    """Unpacks an archive once; an interrupted run leaves no partial folder."""
    done = folder / "unpacked"
    if done.exists() and done.read_text() == stamp(archive):
        return folder
    made = folder.with_name(f"{folder.name}.{os.getpid()}")
    made.mkdir(parents=True)
    with tarfile.open(archive) as source:
        source.extractall(made, filter="data") if hasattr(tarfile, "data_filter") else \
            source.extractall(made)
    (made / "unpacked").write_text(stamp(archive))
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)
    return folder


def extraction(data, cache):
    """E-graphs that have a root."""
    folder = unpack(data / "extraction/egraphs.tar.xz", cache / "extraction")
    return [Instance(row["instance"], folder / "data" / f"{row['instance']}.json",
                     row["cbc_value"], row["proven"] == "1")
            for row in rows(data / "extraction/optima.csv") if row["roots"] != "0"]


def with_limits(data, cache, limits_of):
    """Extractions that are small after reduction, with limits by `limits_of` from a row of
    uses.csv."""
    paths = {one.name: one.path for one in extraction(data, cache)}
    return [made for row in rows(HERE / "uses.csv")
            for percent in PERCENT for made in limits_of(row, paths[row["instance"]], percent)]


def limits(data, cache):
    """Limits on the number of nodes and on the depth that the best known selection satisfies."""
    def both(row, path, percent):
        yield Instance(f"{row['instance']}@{percent}", path, row["value"], row["proven"] == "1",
                       int(row["nodes_used"]) * percent // 100,
                       int(row["depth_used"]) * percent // 100)
    return with_limits(data, cache, both)


def tight(data, cache):
    """A limit on the number of nodes or on the depth, slightly above the least possible."""
    def each(row, path, percent):
        nodes, depth = ("-" if row[name] == "-" else int(row[name]) * percent // 100
                        for name in ("least_nodes", "least_depth"))
        if nodes != "-":
            yield Instance(f"{row['instance']}@nodes{percent}", path, "-", False, nodes, "-")
        yield Instance(f"{row['instance']}@depth{percent}", path, "-", False, "-", depth)
    return with_limits(data, cache, each)


def mmkp(data, _):
    """Knapsacks. The published values of the larger set have the default gap of a solver."""
    small = [Instance(name, data / f"mmkp/orlib/{name}.txt", value, True)
             for name, value in ORLIB.items()]
    folder = data / "mmkp/hiremath_hill"
    return small + [Instance(row["instance"], folder / f"{row['instance']}.txt",
                             row["exact_xpress"], False)
                    for row in rows(folder / "exact_xpress.csv")]


def pbqp(data, cache):
    """Register allocation, unpacked one by one."""
    folder = cache / "pbqp"
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for row in rows(data / "pbqp/optima.csv"):
        name = row["instance"]
        packed, path = data / f"pbqp/llvm_regalloc/{name}.pbqp.gz", folder / f"{name}.pbqp"
        if not path.exists() or path.stat().st_mtime < packed.stat().st_mtime:
            made = path.with_suffix(f".{os.getpid()}")
            made.write_bytes(gzip.decompress(packed.read_bytes()))
            made.rename(path)
        out.append(Instance(name, path, row["optimum_x1000"] or "-", row["status"] == "optimal"))
    return out


SETS = {"extraction": extraction, "mmkp": mmkp, "pbqp": pbqp, "limits": limits, "tight": tight}
FORMAT = {"limits": "extraction", "tight": "extraction"}  # file format of sets whose name is not
                                                          # the format


def load(name, data, cache):
    """The instances of a set; `FileNotFoundError` if the data are not there."""
    return SETS[name](pathlib.Path(data), pathlib.Path(cache))
