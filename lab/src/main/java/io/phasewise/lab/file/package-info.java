/** Directories as a whole: copied, and removed. What is in them is left to others. */
package io.phasewise.lab.file;
