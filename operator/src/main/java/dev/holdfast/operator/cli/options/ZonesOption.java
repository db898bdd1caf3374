package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.report.form.ReportOutput;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that says whether a report has what the failure of each zone would do. */
public final class ZonesOption {
    @Option(
            names = "--zones",
            description = "Also play the failure of each zone, as `holdfast zones` does, and show what it would do to"
                    + " each workload in html, md and json. Give the kinds that what-if needs.")
    private boolean zones;

    /** Refuses the option in a form of the report that does not show it. */
    public void requireShownBy(ReportOutput form, CommandSpec command) {
        if (zones && !form.showsZones()) {
            throw new ParameterException(
                    command.commandLine(),
                    "-o " + form.name().toLowerCase(Locale.ROOT)
                            + " shows no failures of zones: leave --zones out, or use" + " html, md or json");
        }
    }

    /** {@return whether the user asks for it} */
    public boolean isGiven() {
        return zones;
    }
}
