/**
 * The launcher's command line: what a user types, what the user reads, the exit status. What the
 * commands do is left to {@code stack} and {@code receiver}.
 */
package io.phasewise.lab.cli;
