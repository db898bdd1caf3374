package dev.holdfast.it.controlplane;

/** A Go program that a {@link GoModule} builds. */
public interface GoTool {
    /** {@return the name of the program and of its binary} */
    String label();

    /** {@return the import path of the program's main package} */
    String goPackage();
}
