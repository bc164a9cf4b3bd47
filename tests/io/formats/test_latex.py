"""Tables in LaTeX, as published tables are."""

from __future__ import annotations

import io
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weightlab as wl
from weightlab.exceptions import FileFormatError
from weightlab.io.formats.latex import _plain, latex_tables

PUBLISHED = r"""
\documentclass{article}
% \begin{tabular}{ll} a & comment \\ with & one \\ \end{tabular}
\begin{table}[t]\centering
\caption{Results on \textbf{GLUE}.}\label{tab:glue}
\begin{tabular}{@{}lcc|cc@{}}
\toprule
& \multicolumn{2}{c|}{Classification $\uparrow$} & \multicolumn{2}{c}{Cost} \\
\cmidrule(lr){2-3} \cmidrule(l){4-5}
Model & SST-2 & MRPC & NFCorpus & Time $\downarrow$ \\
\midrule
BERT~\citep[see][]{devlin2019bert} & 93.5 & 88.9 & 31.0 & 120 \\[2pt]
\rowcolor{gray!10} RoBERTa\textsubscript{large} & \textbf{96.4} & \underline{90.9} & 33.1 & 210 \\
\ours{} (5\% data) & 95.0 & \textcolor{red}{89.0} & \cellcolor{blue!5}35.2 & 90 \\
\bottomrule
\end{tabular}
\end{table}
"""


def read(text, **options):
    return wl.read_leaderboard(io.StringIO(text), format="latex", **options)


def table(body, kind="tabular", arguments="{lcc}"):
    return f"\\begin{{{kind}}}{arguments}\n{body}\n\\end{{{kind}}}\n"


def test_a_published_table_is_read():
    board = read(PUBLISHED)
    assert board.models == ("BERT", "RoBERTalarge", "ours (5% data)")
    assert board.tasks == ("Classification ↑ SST-2", "Classification ↑ MRPC", "Cost NFCorpus", "Cost Time ↓")
    assert board.lower_is_better == ("Cost Time ↓",)
    assert board.scores.loc["RoBERTalarge"].tolist() == [96.4, 90.9, 33.1, 210]


def test_it_is_told_by_its_extension_and_by_how_it_begins(tmp_path):
    (tmp_path / "t.tex").write_text(PUBLISHED)
    assert wl.read_leaderboard(tmp_path / "t.tex").equals(read(PUBLISHED))
    assert wl.read_leaderboard(io.StringIO(PUBLISHED)).equals(read(PUBLISHED))


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("tabular*", r"{\textwidth}{lcc}"),
        ("tabularx", r"{1.0\linewidth}[t]{Xcc}"),
        ("longtable", "[c]{lcc}"),
        ("tabular", "[t]{l*{2}{c}}"),
    ],
)
def test_every_kind_of_table_is_one(kind, arguments):
    assert read(table(r"m & x & y \\ \hline a & 1 & 2 \\ b & 3 & 4 \\", kind, arguments)).tasks == ("x", "y")


def test_what_a_long_table_shows_on_each_page_is_read_once():
    body = r"""\caption{All} \\ \hline m & x & y \\ \hline \endfirsthead
    \multicolumn{3}{l}{continued} \\ m & x & y \\ \endhead \multicolumn{3}{r}{more} \\ \endfoot \hline \endlastfoot
    a & 1 & 2 \\ b & 3 & 4 \\"""
    board = read(table(body, "longtable"))
    assert (board.models, board.tasks) == (("a", "b"), ("x", "y"))


def test_a_cell_that_spans_rows_stands_in_all_of_them():
    body = r"m & size & x \\ \midrule \multirow{2}{*}{a} & base & 1 \\ & large & 2 \\ b & base & 3 \\"
    (found,) = latex_tables(table(body), "t")
    assert [row[:2] for row in found.rows.values()] == [["a", "base"], ["a", "large"], ["b", "base"]]


def test_tables_inside_cells_are_text():
    body = r"m & \begin{tabular}[c]{@{}c@{}}long\\ name\end{tabular} & y \\ a & 1 & 2 \\ b & 3 & \makecell{4\\} \\"
    assert read(table(body)).tasks == ("long name", "y")


def test_of_several_tables_one_is_chosen_by_its_caption():
    text = (
        PUBLISHED
        + r"\begin{table}"
        + table(r"m & a & b \\ \hline x & 1 & 2 \\ y & 2 & 1 \\")
        + r"\caption{Other} \end{table}"
    )
    with pytest.raises(
        FileFormatError, match=r"there are 2 tables: 1 \(line 6, Results on GLUE\.: 3 x 4\); 2 \(line 18, Other"
    ):
        read(text)
    assert read(text, table="Other").models == ("x", "y")


def test_rows_without_an_environment_are_a_table():
    rows = "\\multicolumn{3}{c}{Part one} \\\\ m & x & y \\\\ \\midrule a & 1 & 2 \\\\ b & 3 & 4 \\\\"
    assert read(rows).tasks == ("x", "y")


def test_faults_name_the_line():
    with pytest.raises(FileFormatError, match="line 4, column 'x': 'high' is not a number"):
        read(table("m & x & y \\\\ \\hline\na & 1 & 2 \\\\\nb & high & 4 \\\\"), keep="*")


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"\textbf{93.1}$_{\pm 0.2}$", "93.1 ± 0.2"),
        (r"$93.1 \pm 0.2$", "93.1 ± 0.2"),
        (r"$1{,}200$", "1,200"),
        (r"5.4\%", "5.4%"),
        (r"{\bf 5.4}", "5.4"),
        (r"\small \textit{a\_b} \& c", "a_b & c"),
        (r"M\"uller, Erd\H{o}s, Fran\c{c}ois, \'{e}", "Müller, Erdős, François, é"),
        (r"\href{https://a.b/c%20d}{name}", "name"),
        (r"$\mathrm{F}_1$", "F_1"),
        ("---", "-"),
        (r"\rotatebox{90}{\textbf{CoLA}}", "CoLA"),
        (r"GPT-4\footnote{With \emph{care}.}~(0-shot)", "GPT-4 (0-shot)"),
        (r"93.1\textsuperscript{*}", "93.1*"),
        (r"$\alpha$-model", "\u03b1-model"),
    ],
)
def test_marks_are_taken_off(written, plain):
    assert _plain(written) == plain


@given(st.text(r"\{}&%$~^_ab1 [](*)" + "\n", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        latex_tables(table(text), "t")
    except FileFormatError:
        return


@given(
    st.lists(
        st.lists(st.sampled_from(["a", "b c", "0.5", "-", r"x\_y"]), min_size=3, max_size=3), min_size=3, max_size=6
    )
)
def test_cells_come_out_where_they_stand(rows):
    body = "\n".join(" & ".join(row) + r" \\" for row in rows)
    (found,) = latex_tables(table(body), "t")
    made = [list(found.header), *found.rows.values()]
    assert made == [[cell.replace("\\", "") for cell in row] for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{tabular}{" + "{" * 100_000,
        table("{" * 200 + "}" * 200),
        "\\begin{tabular}{l}" * 20_000,
        table(r"\multicolumn{999}{c}{x} & " * 20_000),
        table("\\multirow{999}{*}{x} & y \\\\\n" * 20_000),
        "\\newcommand{\\a}{\\a\\a}" + table(r"m & \a \\ x & 1 \\ y & 2 \\"),
    ],
    ids=["open braces", "deep braces", "not ended", "wide", "tall", "a macro without end"],
)
def test_what_means_harm_ends_soon(text):
    begun = time.monotonic()
    with suppress(FileFormatError):
        latex_tables(text, "t")
    assert time.monotonic() - begun < 5
