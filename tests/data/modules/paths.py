from pathlib import Path

root = Path("data") / "runs"
path = root / "model.final.json"
print(path, path.name, path.stem, path.suffix, path.suffixes, path.parent, path.parts)
print(repr(path), path.with_suffix(".txt"), path.with_name("n.py"), path.as_posix(), f"{path}")
print(Path("/a/b").is_absolute(), Path("a") == Path("./a"), Path("a/b").joinpath("c"), Path())
print("x" / Path("y"), Path("a//b/../c"), len({path, Path(str(path))}), root < path, Path("a", "b"))
print(isinstance(path, Path), path.relative_to("data"))
