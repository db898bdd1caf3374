package dev.holdfast.charts;

/** The main class of {@code charts/render}. */
final class Main {
    private Main() {}

    /**
     * Prints what the chart renders, and exits.
     *
     * @param arguments the folder of the chart, followed by those of {@code charts/render}
     */
    public static void main(String[] arguments) {
        System.exit(RenderCommand.commandLine().execute(arguments));
    }
}
