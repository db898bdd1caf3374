package dev.holdfast.operator.cli;

/** Exit codes of the process. */
public final class ExitCode {
    /** Success. */
    public static final int OK = 0;

    /** The command ran, and found what it looks for: violations, for example. */
    public static final int FINDINGS = 1;

    /** Invalid command line or configuration file. */
    public static final int USAGE = 2;

    /** The command failed, for example without a usable kubeconfig or without the CRDs in the cluster. */
    public static final int COULD_NOT_RUN = 3;

    private ExitCode() {}
}
