"""A run as JUnit XML, which CI systems show beside unit tests.

A sample is a test case. Failed is a failure with claim and evidence; unscored is
skipped, or an error where the sample ended in one: never a pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from claimscope.core.models import SampleResult
from claimscope.core.report.document import Report
from claimscope.core.report.renderers.plain import section_texts
from claimscope.core.report.views.claim import failures
from claimscope.core.report.views.gate import reached_text
from claimscope.core.report.words import why_unscored
from claimscope.core.text.plurals import counted_noun, verb_of

if TYPE_CHECKING:
    from junitparser import TestCase, TestSuite

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEADER = tuple(
    """run_id created state suite corpus corpus_version verifier model model_digest
    embedding_model iterations fingerprint version passed failed unscored overruled
    """.split()
)


def junit(report: Report) -> Iterator[str]:
    """The whole file: a suite for the run, one more for its gate."""
    from junitparser import JUnitXml

    document = JUnitXml("claimscope")
    document.append(_run_suite(report))
    if report.gate is not None:
        document.append(_gate_suite(report))
    document.update_statistics()
    yield "<?xml version='1.0' encoding='utf-8'?>\n"
    yield document.tostring().decode() + "\n"


def xml_text(text: str) -> str:
    """Text without the characters that XML 1.0 cannot hold, escaped or not."""
    return _NOT_XML.sub("", text)


def _run_suite(report: Report) -> TestSuite:
    from junitparser import Error, TestSuite

    run = report.run
    suite = TestSuite(xml_text(f"{run.suite} {run.run_id}"))
    suite.timestamp = run.created[:19]
    for name in _HEADER:
        value = getattr(run, name)
        if value is not None:
            suite.add_property(name, xml_text(str(value)))
    for mean in (m for m in report.summary.overall.means if m.total):
        shown = "none" if mean.mean is None else f"{mean.mean:.4g}"
        shown += f", {mean.tier}," if mean.tier else ""
        suite.add_property(
            xml_text(f"mean.{mean.metric}"), f"{shown} over {mean.n} of {mean.total}"
        )
    suite.extend([_sample_case(report, sample) for sample in report.samples])
    absent = run.samples - len(report.samples)
    if absent > 0:
        message = (
            f"{absent} of {counted_noun(run.samples, 'sample')} "
            f"{verb_of(absent, 'was', 'were')} not judged: run {run.state}"
        )
        case = _case("samples not judged", run.suite)
        case.result = [Error(xml_text(message), "unfinished")]
        suite.append(case)
    return suite


def _case(name: str, classname: str) -> TestCase:
    from junitparser import TestCase

    return TestCase(xml_text(name), xml_text(classname))


def _sample_case(report: Report, sample: SampleResult) -> TestCase:
    from junitparser import Error, Failure, Skipped

    category = sample.case.category or "uncategorised"
    case = _case(str(sample.key), f"{_part(report.run.suite)}.{_part(category)}")
    case.time = round(sample.usage.wall_seconds, 3)
    if sample.passed is False:
        texts = list(section_texts(failures(sample)))
        kind = sample.failures[0].kind.value if sample.failures else "failed"
        first = texts[0].split("\n")[0] if texts else "did not pass"
        result = Failure(xml_text(first), kind)
        result.text = xml_text("\n\n".join(texts))
        case.result = [result]
    elif sample.error is not None:
        case.result = [Error(xml_text(sample.error), "not_judged")]
    elif sample.passed is None:
        case.result = [Skipped(xml_text(f"unscored: {why_unscored(sample)}"))]
    case.system_out = xml_text(
        f"question: {sample.case.question}\nanswer: {sample.answer.text}"
    )
    return case


def _part(name: str) -> str:
    """Viewers cut a class name at its dots."""
    return name.replace(".", "_")


def _gate_suite(report: Report) -> TestSuite:
    from junitparser import Error, Failure, TestSuite

    suite = TestSuite("gate")
    for check in report.gate.checks if report.gate else ():
        case = _case(f"{check.name} {check.demanded}", "gate")
        message = xml_text(f"reached {reached_text(check)}: {check.reason}")
        if check.state == "failed":
            case.result = [Failure(message, "gate")]
        elif check.state == "not_judged":
            case.result = [Error(message, "not_judged")]
        suite.append(case)
    return suite
