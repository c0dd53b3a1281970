/**
 * The command line of the launcher: options, output, exit statuses. The work is done by {@code
 * stack} and {@code receiver}.
 */
package io.phasewise.lab.cli;
