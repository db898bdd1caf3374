package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.Spread;
import dev.holdfast.operator.offline.report.ClusterReport.SpreadDomain;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import dev.holdfast.operator.offline.report.html.Html;
import dev.holdfast.operator.offline.report.html.StateMark;

/** Writes a strip for each spread constraint: a bar for each domain, and the line above which it has too many pods. */
final class SpreadHtml {
    /** The maximum number of constraints that are drawn; the violated ones come first. */
    static final int MOST_STRIPS = 60;

    private static final int HEIGHT = 40;

    private final Html html;

    SpreadHtml(Html html) {
        this.html = html;
    }

    void write(ClusterReport report) {
        if (report.spreads().isEmpty()) {
            return;
        }
        html.markup("<section aria-labelledby=spread>\n<h2 id=spread>Spread constraints</h2>\n");
        report.spreads().stream().limit(MOST_STRIPS).forEach(this::strip);
        int shown = Math.min(MOST_STRIPS, report.spreads().size());
        int more = report.summary().spreads() - shown;
        if (more > 0) {
            long violated = report.spreads().stream()
                    .skip(shown)
                    .filter(it -> it.violatingPods() > 0)
                    .count();
            html.markup("<p class=note>")
                    .text(Count.of(more, "more spread constraint") + (more == 1 ? " is" : " are") + " not drawn; "
                            + Count.of(violated, "violated one") + " among them.")
                    .markup("</p>\n");
        }
        html.markup("</section>\n");
    }

    private void strip(Spread strip) {
        State state = strip.violatingPods() == 0 ? State.FINE : State.VIOLATED;
        html.markup("<figure class=strip>\n<figcaption>");
        StateMark.shape(html, state);
        html.markup(" <b>")
                .text(strip.namespace())
                .markup("</b> ")
                .name(strip.requirement())
                .markup(" <span class=muted>")
                .text(strip.rule().name() + ", " + Count.of(strip.pods(), "pod") + ", "
                        + Count.of(strip.domainCount(), "domain") + ", min " + strip.min() + ", max " + strip.max())
                .markup("</span> ")
                .element("strong class=" + StateMark.cssClass(state), strip.verdict())
                .markup("</figcaption>\n<ol>");
        // A maxSkew of two thousand millions is valid.
        long limit = (long) strip.min() + strip.maxSkew();
        long top = Math.max(1, Math.max(strip.max(), limit));
        strip.domains().forEach(domain -> domain(domain, limit, top));
        html.markup("</ol>");
        int more = strip.domainCount() - strip.domains().size();
        if (more > 0) {
            html.markup("<p class=note>")
                    .text(Count.of(more, "more domain")
                            + " between them: these are the violated, the fullest and the emptiest ones.")
                    .markup("</p>");
        }
        html.markup("\n</figure>\n");
    }

    private void domain(SpreadDomain domain, long limit, long top) {
        long bar = (long) HEIGHT * domain.pods() / top;
        long line = HEIGHT - HEIGHT * limit / top;
        html.markup("<li" + (domain.over() ? " class=over>" : ">"))
                .markup("<svg aria-hidden=true width=32 height=" + (HEIGHT + 2) + "><rect x=4 width=24")
                .attribute("y", HEIGHT - bar + 1)
                .attribute("height", Math.max(bar, 1))
                .markup("/><path")
                .attribute("d", "M0 " + (line + 1) + "H32")
                .markup("/></svg><span class=count>");
        StateMark.shape(html, domain.over() ? State.VIOLATED : State.FINE);
        html.number(domain.pods())
                .markup("<span class=vh>")
                .text(domain.over() ? " pods, too many, in " : " pods in ")
                .markup("</span></span><span class=domain>")
                .name(domain.name().isEmpty() ? "(empty)" : domain.name())
                .markup("</span></li>");
    }
}
