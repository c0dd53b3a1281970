/** Whole directories, files that are replaced in one step, and locks. */
package io.phasewise.lab.file;
