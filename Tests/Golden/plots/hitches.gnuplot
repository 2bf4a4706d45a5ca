set encoding utf8
set terminal svg size 1000,560 fixed font "DejaVu Sans,12" background rgb "#ffffff"
set output "picture"
set multiplot
set border 3 linecolor rgb "#6e7781"
set tics nomirror scale 0.5 textcolor rgb "#1f2328"
set style fill solid 0.9 border
set boxwidth 1 absolute
set label 1 "Hitches: app-overrun-sustained" at screen 0.014, screen 0.9642857142857143 left noenhanced front textcolor rgb "#1f2328" font "DejaVu Sans,16"
set label 2 "n \062\060 hitches, \063\063\063.\063 ms in all, the longest \061\066.\066\067 ms\073 from due and display times" at screen 0.014, screen 0.925 left noenhanced front textcolor rgb "#6e7781" font "DejaVu Sans,12"
set lmargin at screen 0.073
set rmargin at screen 0.976
set tmargin at screen 0.8571428571428572
set bmargin at screen 0.10000000000000009
set xrange [0.0031666919999999987:1.380177708]
set xlabel "time in s" noenhanced textcolor rgb "#1f2328"
set xtics autofreq noenhanced format "%g"
set grid xtics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set yrange [0.0:17.666808]
set ylabel "hitch duration in ms" noenhanced textcolor rgb "#1f2328"
set ytics autofreq noenhanced format "%g"
set grid ytics back linetype 1 linewidth 0.5 linecolor rgb "#e1e4e8"
set key at screen 0.976, screen 0.9035714285714286 top right horizontal noenhanced samplen 1.5 textcolor rgb "#1f2328"
plot "data/\060" binary format="%double%double%double%double" record=(20) endian=default using 1:3:1:2:3:4 with boxxyerror fillcolor rgb "#0072b2" fillstyle solid 1.0 border linecolor rgb "#6e7781" linewidth 0.4 title "Scroll, n \062\060"
unset label
unset multiplot
unset output
# data/0: 0.3833364 0.4000032 0.0 16.6668 0.41667 0.4333368 0.0 16.6668 0.4500036 0.4666704 0.0 16.6668 0.4833372 0.500004 0.0 16.6668 0.5166708 0.5333376 0.0 16.6668 0.5500044 0.5666712 0.0 16.6668 0.583338 0.6000048 0.0 16.6668 0.6166716 0.6333384 0.0 16.6668 0.6500052 0.666672 0.0 16.6668 0.6833388 0.7000056 0.0 16.6668 0.7166724 0.7333392 0.0 16.6668 0.750006 0.7666728 0.0 16.6668 0.7833396 0.8000064 0.0 16.6668 0.8166732 0.83334 0.0 16.6668 0.8500068 0.8666736 0.0 16.6668 0.8833404 0.9000072 0.0 16.6668 0.916674 0.9333408 0.0 16.6668 0.9500076 0.9666744 0.0 16.6668 0.9833412 1.000008 0.0 16.6668 1.0166748 1.0333416 0.0 16.6668
