package dev.holdfast.operator.cli.options;

import picocli.CommandLine.Option;

/** The option that says whether a report has what the failure of each zone would do. */
public final class ZonesOption {
    @Option(
            names = "--zones",
            description = "Also play the failure of each zone, as `holdfast zones` does, and show what it would do to"
                    + " each workload in html, md and json. Give the kinds that what-if needs.")
    private boolean zones;

    /** {@return whether the user asks for it} */
    public boolean isGiven() {
        return zones;
    }
}
