package dev.holdfast.it.controlplane;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A JUnit extension that injects one {@link ControlPlane}, shared by all tests of this JVM, and prints the ends of the
 * server logs when a test fails. Each test must use its own names for namespaces and nodes. A test that stops a server
 * must start its own control plane instead.
 */
public final class SharedControlPlane implements ParameterResolver, TestWatcher {

    private static boolean attempted;
    private static @Nullable ControlPlane started;

    /**
     * {@return the shared control plane; the first call starts it, and it ends with the JVM}
     *
     * @throws ControlPlaneException if the control plane does not start; only the first exception contains the logs
     */
    public static synchronized ControlPlane get() {
        if (!attempted) {
            attempted = true;
            started = ControlPlane.start();
        }
        if (started == null) {
            throw new ControlPlaneException("the shared control plane did not start: see the first failure");
        }
        return started;
    }

    /**
     * Builds the programs of the control plane if they are not in the cache. Call this outside the time limit of a
     * test, because a build may take longer.
     */
    public static void buildPrograms() {
        Programs.ofUser();
    }

    private static synchronized @Nullable ControlPlane ifStarted() {
        return started;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ControlPlane.class;
    }

    @Override
    public ControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return get();
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        ControlPlane controlPlane = ifStarted();
        if (controlPlane != null) {
            System.err.println(context.getDisplayName() + " failed; the logs of the control plane end with\n"
                    + controlPlane.logTails());
        }
    }
}
