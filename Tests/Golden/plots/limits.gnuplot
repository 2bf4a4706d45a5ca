set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "What limits the frames: uncapped.exe \060xF\060\060D (uncapped-game)" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "CPU-bound in \061\060\060.\060 \045 of \065\071 frames (median cpuBusy \064.\061 of \064.\062 ms, with any wait outside the present call)" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [0.0:0.3000006]
set xlabel "time in s" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:100.0]
set ylabel "share of frames in \045" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(25) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "CPU-bound \065\071"
unset label
unset multiplot
unset output
# data/0: 0.0 0.01 0.0 100.0 0.01 0.02 0.0 100.0 0.02 0.03 0.0 100.0 0.03 0.04 0.0 100.0 0.04 0.05 0.0 100.0 0.05 0.06 0.0 100.0 0.06 0.07 0.0 100.0 0.07 0.08 0.0 100.0 0.08 0.09 0.0 100.0 0.09 0.1 0.0 100.0 0.1 0.11 0.0 100.0 0.11 0.12 0.0 100.0 0.12 0.13 0.0 100.0 0.13 0.14 0.0 100.0 0.14 0.15 0.0 100.0 0.15 0.16 0.0 100.0 0.16 0.17 0.0 100.0 0.17 0.18 0.0 100.0 0.18 0.19 0.0 100.0 0.19 0.2 0.0 100.0 0.2 0.21 0.0 100.0 0.21 0.22 0.0 100.0 0.22 0.23 0.0 100.0 0.23 0.24 0.0 100.0 0.24 0.25 0.0 100.0
